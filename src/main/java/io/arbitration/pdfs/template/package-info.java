/**
 * What a template is, and how an uploaded PDF becomes one: checked, read, and compiled into the bytes that every filled form
 * shares.
 */
package io.arbitration.pdfs.template;
