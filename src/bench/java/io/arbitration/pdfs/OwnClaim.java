package io.arbitration.pdfs;

import io.arbitration.platform.paper.Paper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The statement of claim that the demo files: a document as a firm would write it, of a case that nobody has. */
public final class OwnClaim {

    private static final Paper.Look KIND = new Paper.Look(10, false, 0.35f);
    private static final Paper.Look TITLE = new Paper.Look(22, true, 0);
    private static final Paper.Look HEADING = new Paper.Look(13, true, 0.1f);
    private static final Paper.Look BODY = new Paper.Look(11, false, 0);
    private static final Paper.Look SMALL = new Paper.Look(9, false, 0.3f);
    private static final float[] COLUMNS = {120, Paper.WIDTH - 120};
    private static final float[] AMOUNTS = {40, Paper.WIDTH - 160, 120};
    private static final Instant DATE = Instant.parse("2026-11-02T09:00:00Z");

    private OwnClaim() {}

    /** A heading, and the numbered paragraphs below it. */
    private record Part(String heading, List<String> paragraphs) {}

    private static final List<Part> PARTS = List.of(
            new Part("The parties", List.of(
                    "The Claimant, Claimant Shipping GmbH, runs a container terminal in the port of Hamburg, Germany.",
                    "The Respondent, Respondent Cranes Ltd, builds harbour cranes in Newcastle upon Tyne, United Kingdom.")),
            new Part("The agreement to arbitrate", List.of(
                    "The parties concluded the contract of sale of 14 January 2026 for two ship-to-shore cranes. Its clause 19 reads: "
                            + "“All disputes arising out of or in connection with this contract shall be finally settled by arbitration under the "
                            + "commercial rules of the institution. The seat is Paris. The language is English.”")),
            new Part("The facts", List.of(
                    "Clause 4 fixed the delivery of both cranes on the quay for 1 June 2026, and called that date essential.",
                    "The cranes were delivered on 17 August 2026, eleven weeks late. The Respondent gave no notice of a delay before 29 May 2026.",
                    "The Claimant hired two mobile cranes from 1 June to 17 August 2026 to keep the terminal open, at 1,250.00 US dollars a day for "
                            + "both, and paid 27,500.00 US dollars to two shipping lines for missed slots.",
                    "The Respondent refused to pay by letter of 4 September 2026. It said that the harbour works of the Claimant had kept the cranes out. "
                            + "Those works had ended on 20 May 2026, as the certificate of the port authority shows.")),
            new Part("The law", List.of(
                    "The contract is governed by the United Nations Convention on Contracts for the International Sale of Goods. Under article 33 the "
                            + "seller must deliver on the date fixed by the contract. Under articles 45 and 74 the buyer may claim the loss, including loss of "
                            + "profit, that it suffered as a consequence of the breach and that was foreseeable.")));

    /** Writes the document. */
    public static void write(Path file) throws IOException {
        Paper paper = new Paper();
        paper.text("Arbitration under the commercial rules", KIND).space(2).text("Statement of claim", TITLE).space(10).rule(0.4f).space(6)
                .row(BODY, COLUMNS, "Claimant", "Claimant Shipping GmbH, Am Sandtorkai 30, 20457 Hamburg, Germany")
                .row(BODY, COLUMNS, "Respondent", "Respondent Cranes Ltd, 5 Quayside, Newcastle upon Tyne NE1 3DX, United Kingdom")
                .row(BODY, COLUMNS, "Seat", "Paris, France")
                .row(BODY, COLUMNS, "Date", "2 November 2026")
                .space(6).rule(0.4f);
        int number = 0;
        for (Part part : PARTS) {
            paper.space(16).keep(64).text(part.heading, HEADING).space(4);
            for (String paragraph : part.paragraphs) {
                paper.keep(32).row(BODY, new float[] {28, Paper.WIDTH - 28}, ++number + ".", paragraph).space(5);
            }
        }
        paper.space(16).keep(120).text("The amount", HEADING).space(4)
                .row(BODY, AMOUNTS, "a", "Hire of mobile cranes, 78 days", "97,500.00 USD")
                .row(BODY, AMOUNTS, "b", "Payments to shipping lines", "27,500.00 USD")
                .rule(0.4f).row(BODY, AMOUNTS, "", "In all", "125,000.00 USD");
        paper.space(16).keep(140).text("Relief sought", HEADING).space(4)
                .text("The Claimant asks the tribunal to order the Respondent to pay 125,000.00 US dollars, with interest of 5 percent a year from "
                        + "17 August 2026, and the costs of the arbitration.", BODY)
                .space(20).text("Clara Claimant", BODY).text("for Claimant Shipping GmbH", SMALL);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, paper.bytes("Statement of claim", DATE, (page, pages) -> "Claimant Shipping v. Respondent Cranes · page %d of %d".formatted(page, pages)));
    }

    /** @param arguments the file */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]));
    }
}
