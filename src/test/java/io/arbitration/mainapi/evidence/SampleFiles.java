package io.arbitration.mainapi.evidence;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;

/** Small files of many kinds: made by the libraries that make them, or as their formats say they begin. */
public final class SampleFiles {

    private SampleFiles() {}

    public static byte[] named(String kind) throws IOException {
        return switch (kind) {
            case "pdf" -> pdf();
            case "png", "jpeg", "gif", "tiff" -> image(kind);
            case "webp" -> join(text("RIFF"), little(26), text("WEBPVP8L"), little(13), bytes(0x2f, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 8, 8, 0));
            case "text" -> text("The parties met on the third of March and agreed.\n");
            case "latin" -> "Herr Müller schuldet der Quarry GmbH den Rest des Preises; er bestreitet das. Die Parteien trafen sich im März.\n".repeat(5).getBytes(StandardCharsets.ISO_8859_1);
            case "utf16" -> join(bytes(0xff, 0xfe), "The parties met on the third of March.\r\n".getBytes(StandardCharsets.UTF_16LE));
            case "csv" -> text("date,amount,payee\n2026-03-03,125000.00,Cranes Ltd\n2026-03-04,7.50,\"Quarry, Ltd\"\n");
            case "json" -> text("{\"amount\": 125000.00, \"payee\": \"Cranes Ltd\"}\n");
            case "html" -> text("<!DOCTYPE html>\n<html><head><title>Notice</title></head><body>Hello</body></html>\n");
            case "svg" -> text("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>\n");
            case "eml" -> text("""
                    Received: from mail.example by mx.example; Tue, 3 Mar 2026 10:00:00 +0000
                    From: Clara <clara@example.org>
                    To: Rolf <rolf@example.org>
                    Subject: The cranes
                    Date: Tue, 3 Mar 2026 10:00:00 +0000
                    Message-ID: <1@example.org>

                    They stand still.
                    """.replace("\n", "\r\n"));
            case "docx" -> office("word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml");
            case "xlsx" -> office("xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml");
            case "pptx" -> office("ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml");
            case "zip" -> zip("log.txt", "nothing happened\n".repeat(100));
            case "doc" -> join(bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), new byte[504]);
            case "mp3" -> join(text("ID3"), bytes(3, 0, 0, 0, 0, 0, 0), bytes(0xff, 0xfb, 0x90, 0x64), new byte[413]);
            case "mp3raw" -> join(bytes(0xff, 0xfb, 0x90, 0x64), new byte[413], bytes(0xff, 0xfb, 0x90, 0x64), new byte[413]);
            case "wav" -> join(text("RIFF"), little(36 + 100), text("WAVEfmt "), little(16), bytes(1, 0, 1, 0), little(8000), little(8000), bytes(1, 0, 8, 0), text("data"), little(100), new byte[100]);
            case "ogg" -> join(text("OggS"), bytes(0, 2), new byte[20], bytes(1, 30, 1), text("vorbis"), new byte[23]);
            case "mp4" -> join(big(24), text("ftypisom"), big(512), text("isomavc1"), big(8), text("free"), big(8), text("mdat"));
            case "m4a" -> join(big(24), text("ftypM4A "), big(0), text("M4A mp42"), big(8), text("free"));
            case "mov" -> join(big(20), text("ftypqt  "), big(512), text("qt  "), big(8), text("wide"), big(8), text("mdat"));
            case "webm" -> join(bytes(0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0xf7, 0x81, 1, 0x42, 0xf2, 0x81, 4, 0x42, 0xf3, 0x81, 8, 0x42, 0x82, 0x84), text("webm"), bytes(0x42, 0x87, 0x81, 2));
            case "zeros" -> new byte[1000];
            case "random" -> random();
            case "elf" -> join(bytes(0x7f), text("ELF"), bytes(2, 1, 1, 0), new byte[56]);
            case "pe" -> portableExecutable();
            case "macho" -> join(bytes(0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0), new byte[48]);
            case "fat", "class" -> join(bytes(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, kind.equals("fat") ? 2 : 69), new byte[40]);
            case "script" -> text("#!/bin/sh\nrm -rf /\n");
            case "bom" -> join(bytes(0xef, 0xbb, 0xbf), text("#! /usr/bin/env python3\nprint()\n"));
            case "wasm" -> join(bytes(0), text("asm"), bytes(1, 0, 0, 0));
            case "mz" -> text("MZ is how this letter begins, and it is only a letter. " + "It goes on for a while. ".repeat(10));
            case "shebang-like" -> text("#!important: the parties agreed.\n");
            default -> throw new IllegalArgumentException(kind);
        };
    }

    static byte[] pdf() throws IOException {
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            document.addPage(new PDPage());
            document.save(out);
            return out.toByteArray();
        }
    }

    private static byte[] image(String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (!ImageIO.write(new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB), format, out)) {
            throw new IllegalStateException(format);
        }
        return out.toByteArray();
    }

    private static byte[] office(String main, String type) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            entry(zip, "[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
                    + "<Override PartName=\"/%s\" ContentType=\"%s\"/></Types>".formatted(main, type));
            entry(zip, "_rels/.rels", "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"/>");
            entry(zip, main, "<x/>");
        }
        return out.toByteArray();
    }

    static byte[] zip(String name, String content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            entry(zip, name, content);
        }
        return out.toByteArray();
    }

    private static void entry(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text(content));
        zip.closeEntry();
    }

    private static byte[] portableExecutable() {
        byte[] file = new byte[512];
        file[0] = 'M';
        file[1] = 'Z';
        file[0x3c] = (byte) 0x80;
        file[0x80] = 'P';
        file[0x81] = 'E';
        return file;
    }

    private static byte[] random() {
        byte[] bytes = new byte[5000];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static byte[] little(int value) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
    }

    private static byte[] big(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }
}
