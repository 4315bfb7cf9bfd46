package io.arbitration.platform.reading;

/** What a PDF may still hold although none of its pages shows it. */
public enum PdfRemains {
    /** Text or pictures that an earlier version of the file had, or that no part of it uses. */
    UNUSED_PARTS,
    /** A file within the file. */
    ATTACHMENT,
    /** A small picture of a page, as it was when the picture was made. */
    THUMBNAIL,
    /** A layer that is switched off. */
    HIDDEN_LAYER,
    /** A comment or a field of a form with a text that is not shown. */
    HIDDEN_TEXT,
    /** A copy of the document in the form of the program that made it (ISO 32000-2, 14.5). */
    PRIVATE_COPY,
    /** Text beside the part of a page that is shown (ISO 32000-2, 14.11.2, crop box). */
    OUTSIDE_OF_PAGE,
    /** A word that was removed from the pages, in the title, in a bookmark, or in another description. */
    DESCRIPTION,
    /** A picture over recognized text, in a format that is not read here: what it covers cannot be looked at. */
    UNREAD_PICTURE
}
