package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// PlatformError is a refusal of the platform, or its answer that it cannot serve now: errors.As finds it in the error of a call.
type PlatformError struct {
	// Status is that of HTTP.
	Status int
	// ErrorCode names the error for programs and never changes. One that is newer than this client is not valid (IsValid), and a code all the
	// same. It is empty where something between here and the platform answered.
	ErrorCode ErrorCode
	// Reason is the sentence for people.
	Reason string
	// RequestID is what an operator finds the request by in the log.
	RequestID string
	// RetryAfter is how long the platform asks to wait; nil where it does not.
	RetryAfter *time.Duration
	// Header is that of the answer.
	Header http.Header
}

// Error is status, code, reason and request in one line.
func (e *PlatformError) Error() string {
	line := strconv.Itoa(e.Status)
	if e.ErrorCode != "" {
		line += " " + string(e.ErrorCode)
	}
	line += ": " + e.Reason
	if e.RequestID != "" {
		line = fmt.Sprintf("%s (request %s)", line, e.RequestID)
	}
	return line
}

// SessionEndedError says that the platform takes the credentials no more: the person has to sign in again. Every later call with them fails
// so.
type SessionEndedError struct{ *PlatformError }

// Unwrap is what the renewal was refused with.
func (e *SessionEndedError) Unwrap() error { return e.PlatformError }

func newPlatformError(response *http.Response, body []byte) *PlatformError {
	code, reason := codeAndReason(response.Header.Get("Error-Code"), body)
	return &PlatformError{
		Status:     response.StatusCode,
		ErrorCode:  ErrorCode(code),
		Reason:     reason,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(response),
		Header:     response.Header,
	}
}

// codeAndReason reads a body that is one JSON string, problem details, an error of OAuth with its own code, or plain text.
func codeAndReason(code string, body []byte) (string, string) {
	var sentence string
	if json.Unmarshal(body, &sentence) == nil {
		return code, sentence
	}
	var fields struct {
		Detail           string `json:"detail"`
		Error            string `json:"error"`
		ErrorDescription string `json:"error_description"`
	}
	if json.Unmarshal(body, &fields) == nil {
		switch {
		case fields.Error != "":
			return fields.Error, fields.ErrorDescription
		case fields.Detail != "":
			return code, fields.Detail
		}
	}
	return code, strings.TrimSpace(string(body))
}

// retryAfter reads seconds, or a date of HTTP; nil where there is neither.
func retryAfter(response *http.Response) *time.Duration {
	if response == nil {
		return nil
	}
	header := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		wait := time.Duration(seconds) * time.Second
		return &wait
	}
	if then, err := http.ParseTime(header); err == nil {
		wait := max(0, time.Until(then))
		return &wait
	}
	return nil
}
