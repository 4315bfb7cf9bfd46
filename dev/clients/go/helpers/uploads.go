package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
)

const pieceBytes = 64 << 10

var errFileChanged = errors.New("changed its length while it was sent")

// UploadOptions are what an upload may have beside what it must; nil and zero stand for none.
type UploadOptions struct {
	// FileName and ContentType take the place of the path's last part and of application/octet-stream, for which the platform looks at the
	// content.
	FileName, ContentType string
	IdempotencyKey        string
	// IfMatch is the revision that must not have changed, quoted. Only for operations that have it.
	IfMatch string
	// Title of a file of a filing, in place of its name.
	Title string
	// Progress is called with bytes of the file: sent never falls within an attempt, begins at 0 again when the upload is repeated, and is
	// size when it has succeeded.
	Progress func(sent, size int64)
}

// Uploads has the operations that take a file, with its path in place of its bytes: no more than a piece of it is in memory.
type Uploads struct{ platform *Platform }

// NewUploads calls nobody.
func NewUploads(platform *Platform) Uploads {
	return Uploads{platform}
}

// CreateEvidenceUpload uploads an exhibit, as EvidenceAPI.CreateEvidenceUpload.
func (u Uploads) CreateEvidenceUpload(
	ctx context.Context, caseID, categoryID, description, file string, options *UploadOptions) (*EvidenceUpload, error) {
	texts := []text{{"caseID", caseID}, {"categoryID", categoryID}, {"description", description}}
	return upload[EvidenceUpload](ctx, u.platform, "/api/evidence/uploads/create", texts, file, options)
}

// UploadFilingFile adds a file to a filing, as FilingFilesAPI.UploadFilingFile.
func (u Uploads) UploadFilingFile(ctx context.Context, caseID, filingID, file string, options *UploadOptions) (*FilingFile, error) {
	texts := []text{{"caseID", caseID}, {"filingID", filingID}}
	if options != nil && options.Title != "" {
		texts = append(texts, text{"title", options.Title})
	}
	return upload[FilingFile](ctx, u.platform, "/api/filings/files/upload", texts, file, options)
}

// RedactDocketEntry puts a redacted file in the place of one of an entry, as DocketAPI.RedactDocketEntry.
func (u Uploads) RedactDocketEntry(
	ctx context.Context, caseID, entryID, fileID, reason, file string, options *UploadOptions) (*FilingFile, error) {
	texts := []text{{"caseID", caseID}, {"entryID", entryID}, {"fileID", fileID}, {"reason", reason}}
	return upload[FilingFile](ctx, u.platform, "/api/docket/entries/redact", texts, file, options)
}

// UploadPdfTemplate uploads a template, as PdfTemplatesAPI.UploadPdfTemplate.
func (u Uploads) UploadPdfTemplate(ctx context.Context, documentID, file string, options *UploadOptions) (*PdfTemplate, error) {
	return upload[PdfTemplate](ctx, u.platform, "/pdfs/templates/upload", []text{{"documentID", documentID}}, file, options)
}

func upload[Answer any](
	ctx context.Context, platform *Platform, path string, texts []text, file string, options *UploadOptions) (*Answer, error) {
	if options == nil {
		options = &UploadOptions{}
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	form, err := newFileForm(texts, file, options)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, platform.url+path, nil)
	if err != nil {
		return nil, err
	}
	request.GetBody = form.body
	request.ContentLength = int64(len(form.head)) + form.size + int64(len(form.tail))
	// What is sent is what GetBody opens; this one only says that there is a body.
	request.Body = io.NopCloser(strings.NewReader(""))
	for name, value := range map[string]string{
		"Content-Type": form.contentType, "Accept": "application/json", "User-Agent": platform.cfg.UserAgent,
		"Idempotency-Key": options.IdempotencyKey, "If-Match": options.IfMatch} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := platform.cfg.HTTPClient.Do(request)
	if err != nil {
		return nil, err
	}
	answer := new(Answer)
	return answer, read(response, answer)
}

type text struct{ name, value string }

// fileForm is a form of texts and a file, of a length that is known beforehand. The file is opened anew by each attempt.
type fileForm struct {
	contentType string
	head, tail  []byte
	file        string
	size        int64
	progress    func(sent, size int64)
}

func newFileForm(texts []text, file string, options *UploadOptions) (*fileForm, error) {
	stat, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !stat.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", file)
	}
	// The texts come first, so that a request that is refused by them is refused before its file is read.
	var written bytes.Buffer
	writer := multipart.NewWriter(&written)
	for _, text := range texts {
		if err := writer.WriteField(text.name, text.value); err != nil {
			return nil, err
		}
	}
	name, kind := options.FileName, options.ContentType
	if name == "" {
		name = filepath.Base(file)
	}
	if kind == "" {
		kind = "application/octet-stream"
	}
	quoted := strings.NewReplacer("\\", "\\\\", `"`, "\\\"", "\r", "%0D", "\n", "%0A").Replace(name)
	part := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="` + quoted + `"`}, "Content-Type": {kind}}
	if _, err := writer.CreatePart(part); err != nil {
		return nil, err
	}
	head := bytes.Clone(written.Bytes())
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return &fileForm{contentType: writer.FormDataContentType(), head: head, tail: written.Bytes()[len(head):], file: file, size: stat.Size(),
		progress: options.Progress}, nil
}

func (f *fileForm) body() (io.ReadCloser, error) {
	file, err := os.Open(f.file)
	if err != nil {
		return nil, err
	}
	content := &fileReader{file: file, size: f.size, progress: f.progress, name: f.file}
	return &fileBody{Reader: io.MultiReader(bytes.NewReader(f.head), content, bytes.NewReader(f.tail)), Closer: file}, nil
}

type fileBody struct {
	io.Reader
	io.Closer
}

// fileReader tells of a piece when the next one is asked for, which is when the connection has taken it.
type fileReader struct {
	file       *os.File
	name       string
	size, sent int64
	told       int64
	begun      bool
	progress   func(sent, size int64)
}

func (r *fileReader) Read(piece []byte) (int, error) {
	if r.progress != nil && (!r.begun || r.told != r.sent) {
		r.progress(r.sent, r.size)
	}
	r.begun, r.told = true, r.sent
	count, err := r.file.Read(piece[:min(len(piece), pieceBytes)])
	r.sent += int64(count)
	if r.sent > r.size || err == io.EOF && r.sent < r.size {
		return 0, fmt.Errorf("%s %w", r.name, errFileChanged)
	}
	return count, err
}
