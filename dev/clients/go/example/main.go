// A case from sign-in to docket through the generated client, on a platform in the demo profile.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"arbitration.example/platform/client"
)

var ctx = context.Background()

// must ends the program where a call failed, with the reason that the platform gave.
func must[T any](answer T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

// signedIn is the platform as this person has it. Your identity provider signs the ID token; here it is the one of the demo.
func signedIn(url, email, firstName, lastName string) *client.Platform {
	person, _ := json.Marshal(map[string]string{"email": email, "first_name": firstName, "last_name": lastName})
	response, err := http.Post(url+"/auth/demo/id-token", "application/json", bytes.NewReader(person))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var signed struct{ IdToken string }
	if err := json.NewDecoder(response.Body).Decode(&signed); err != nil {
		log.Fatal(err)
	}
	// A server stores the refresh token of each token set (OnTokens), and goes on with client.Resume.
	return client.NewPlatform(url, client.SignIn("demo", signed.IdToken))
}

// listen runs a server as an organization would: it takes webhooks and answers at once.
func listen(verifier **client.WebhookVerifier) (string, chan client.Event) {
	arrived := make(chan client.Event, 100)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		webhook, err := (*verifier).Verify(request.Header, body)
		if err != nil {
			writer.WriteHeader(http.StatusUnauthorized)
			return
		}
		arrived <- webhook.Event
		writer.WriteHeader(http.StatusNoContent)
	}))
	return "http://" + listener.Addr().String() + "/hook", arrived
}

// nextFiling is the next document on the docket of a case that a webhook tells of.
func nextFiling(arrived chan client.Event, caseID string) *client.DocketFilingEvent {
	for {
		select {
		case event := <-arrived:
			if filing, ok := event.(*client.DocketFilingEvent); ok && filing.Data.CaseID == caseID {
				return filing
			}
		case <-time.After(20 * time.Second):
			log.Fatal("no webhook within 20 s")
		}
	}
}

// read is what a file holds; afterwards the file is at its start again.
func read(file *os.File) []byte {
	content, err := io.ReadAll(file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		log.Fatal(err)
	}
	return content
}

func main() {
	url := "http://localhost:8080"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	administrator := signedIn(url, "admin@demo.example", "Ada", "Administrator")
	claimant := signedIn(url, "clara@clients.example", "Clara", "Claimant")
	manager := signedIn(url, "maya@go.example", "Maya", "Manager")

	// Webhooks go to organizations, and Clara's has a server: this program.
	if me := must(claimant.UsersAPI.ViewCurrentUser(ctx).Execute()); me.OrganizationID.Get() == nil {
		must(claimant.OrganizationsAPI.CreateOrganization(ctx).
			CreateOrganizationRequest(*client.NewCreateOrganizationRequest("Claimant Shipping GmbH")).Execute())
	}
	var verifier *client.WebhookVerifier
	hook, arrived := listen(&verifier)
	registered := must(claimant.WebhookUrlsAPI.CreateWebhookUrl(ctx).
		CreateWebhookUrlRequest(*client.NewCreateWebhookUrlRequest(hook)).Execute())
	var err error
	if verifier, err = client.NewWebhookVerifier(registered.GetSecret()); err != nil {
		log.Fatal(err)
	}

	// A case, and who decides in it.
	caseID := must(claimant.CasesAPI.CreateCase(ctx).
		CreateCaseRequest(*client.NewCreateCaseRequest("Crânes v. Quarry 採石場", "commercial")).Execute()).CaseID
	fmt.Println("case", caseID)
	appointment := client.NewAddParticipantRequest(caseID, must(manager.UsersAPI.ViewCurrentUser(ctx).Execute()).Id, "caseManager")
	appointment.SetIsPrimary(true)
	must(administrator.ParticipantsAPI.AddParticipant(ctx).AddParticipantRequest(*appointment).Execute())

	// Clara files her claim; what is wrong with it she is told in words.
	filingID := must(claimant.FilingsAPI.CreateFiling(ctx).CreateFilingRequest(
		*client.NewCreateFilingRequest(caseID, "statementOfClaim", map[string]any{
			"claimantName": "Claimant Shipping GmbH", "respondentName": "Respondent Cranes Ltd", "claimAmount": "125000.00",
			"reliefSought": "Damages for two cranes that came late.", "expeditedRequested": false})).Execute()).FilingID
	// The claim itself is a PDF, read while it is sent.
	filed, err := client.NewUploads(claimant).
		UploadFilingFile(ctx, caseID, filingID, "../../../../src/main/resources/demo/statement-of-claim.pdf", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("filed %s of %d pages\n", filed.FileName, *filed.Pages.Get())
	submission := claimant.DocumentsAPI.SubmitDocument(ctx).SubmitDocumentRequest(*client.NewSubmitDocumentRequest(caseID, filingID))
	fmt.Println(must(submission.Execute()))
	var refused *client.PlatformError
	if _, _, err := submission.Execute(); !errors.As(err, &refused) {
		log.Fatal("submitted twice")
	}
	// Programs go by refused.ErrorCode, such as client.ERRORCODE_FILING_ALREADY_SUBMITTED.
	fmt.Printf("refused with %d: %s\n", refused.Status, refused.Reason)

	// Maya approves it, and it is on the docket.
	fmt.Println(must(manager.DocumentsAPI.ApproveDocument(ctx).
		ApproveDocumentRequest(*client.NewApproveDocumentRequest(caseID, filingID)).Execute()))
	docket := must(claimant.DocketAPI.ListDocketEntries(ctx).
		ListDocketEntriesRequest(*client.NewListDocketEntriesRequest(caseID)).Execute())
	for _, entry := range docket.Entries {
		fmt.Printf("docket entry %s: %s of %s\n", entry.EntryID, entry.DocumentID, entry.EnteredAt.Format(time.RFC3339))
	}
	fmt.Println("docket valid:", must(claimant.DocketAPI.VerifyDocket(ctx).
		VerifyDocketRequest(*client.NewVerifyDocketRequest(caseID)).Execute()).Valid)

	// The platform tells Clara's server of it.
	told := nextFiling(arrived, caseID)
	fmt.Println("webhook verified:", told.Event, "of", told.Data.DocumentID)

	// Every case of hers, page by page.
	cases, limit := 0, int32(200)
	for _, err := range client.Items(func(cursor *string) (*client.CaseList, *http.Response, error) {
		page := client.ListCasesRequest{Cursor: *client.NewNullableString(cursor), Limit: *client.NewNullableInt32(&limit)}
		return claimant.CasesAPI.ListCases(ctx).ListCasesRequest(page).Execute()
	}, (*client.CaseList).GetCases) {
		if err != nil {
			log.Fatal(err)
		}
		cases++
	}
	fmt.Println("cases:", cases)

	// A form is filled, kept as evidence, and comes back as it was.
	hearing := client.NewFillPdfTemplateRequest("noticeOfHearing")
	hearing.SetPlaceholders(map[string]string{"caseTitle": "Cranes v. Quarry", "hearingDate": "2027-03-04"})
	form := must(claimant.PdfTemplatesAPI.FillPdfTemplate(ctx).FillPdfTemplateRequest(*hearing).Execute())
	pdf := read(form)
	fmt.Println("filled form:", string(pdf[:5]))
	upload := must(claimant.EvidenceAPI.CreateEvidenceUpload(ctx).CaseID(caseID).CategoryID("correspondence").
		Description("Notice of hearing 開庭通知").File(form).Execute())
	stored := must(claimant.EvidenceAPI.DownloadEvidenceUpload(ctx).
		NamedEvidenceUploadRequest(*client.NewNamedEvidenceUploadRequest(caseID, upload.UploadID)).Execute())
	fmt.Printf("evidence %s, the same bytes: %t\n", upload.UploadID, bytes.Equal(pdf, read(stored)))

	fmt.Println(must(claimant.WebhookUrlsAPI.DeleteWebhookUrl(ctx).NamedWebhookUrlRequest(*client.NewNamedWebhookUrlRequest(hook)).Execute()))
}
