package client

import (
	"context"
	crypto "crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	refusalBytesMax      = 64 << 10
	tokensBytesMax       = 64 << 10
	connectionsOfHostMax = 32
	connectTimeout       = 10 * time.Second
	// A draft of an award takes up to 280 s.
	answerTimeout = 300 * time.Second
	uploadTimeout = time.Hour
	// keyless takes no key, so it is not repeated: each call occupies a browser.
	keyless = "/api/service-of-notice/attachments/create"
)

// RetryPolicy says how often and for how long a call is repeated that had no answer, or one that passes.
type RetryPolicy struct {
	// Attempts, the first one counted; 1 repeats nothing.
	Attempts int
	// Total is from the first attempt to the beginning of the last one, at most. Where the platform asks for a longer pause than is left, the
	// caller gets its refusal at once.
	Total time.Duration
	// FirstPause is before the first repetition where the platform asks for none. It is doubled before each further one, up to PauseMax.
	FirstPause, PauseMax time.Duration
}

// DefaultRetryPolicy has at most 5 attempts within a minute.
var DefaultRetryPolicy = RetryPolicy{Attempts: 5, Total: time.Minute, FirstPause: 500 * time.Millisecond, PauseMax: 20 * time.Second}

// pause is the one before a repetition, the first being 1. A random part of it lets callers come back at different times.
func (r RetryPolicy) pause(repetition int, asked *time.Duration) time.Duration {
	if asked != nil {
		return time.Duration(float64(*asked) * (1 + rand.Float64()/10))
	}
	longest := min(r.PauseMax, r.FirstPause<<min(repetition-1, 20))
	return time.Duration(float64(longest) * (1 + rand.Float64()) / 2)
}

// Option changes what [NewPlatform] makes.
type Option func(*transport)

// WithRetryPolicy takes another policy than [DefaultRetryPolicy].
func WithRetryPolicy(policy RetryPolicy) Option {
	return func(t *transport) { t.retries = policy }
}

// WithTransport takes another transport than one like [http.DefaultTransport], for proxies and certificates.
func WithTransport(base http.RoundTripper) Option {
	return func(t *transport) { t.base = base }
}

// Platform is the platform at a URL, as one caller. Many goroutines may use it at once.
//
// A call is repeated where that is safe ([RetryPolicy]): a POST with credentials bears an Idempotency-Key, the caller's own or a new one, and
// its repetitions the same. A call that is answered 401 is repeated once with a renewed token. A refusal is a [*PlatformError]. A
// call ends when its context does. Connecting takes at most 10 s, an answer begins within 300 s.
type Platform struct {
	*APIClient
	url       string
	transport *transport
}

// NewPlatform calls nobody. Without credentials (nil) it calls as nobody. It panics where the credentials belong to another platform.
func NewPlatform(url string, credentials *Credentials, options ...Option) *Platform {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	base.MaxIdleConnsPerHost = connectionsOfHostMax
	base.ResponseHeaderTimeout = answerTimeout
	t := &transport{base: base, retries: DefaultRetryPolicy, credentials: credentials}
	for _, option := range options {
		option(t)
	}
	configuration := NewConfiguration()
	configuration.UserAgent = "arbitration-client/1.0.0 (Go)"
	configuration.Servers = ServerConfigurations{{URL: strings.TrimRight(url, "/")}}
	// The platform redirects no programs.
	configuration.HTTPClient = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	platform := &Platform{APIClient: NewAPIClient(configuration), url: configuration.Servers[0].URL, transport: t}
	t.platform = platform
	if credentials != nil && !credentials.bind(platform.url) {
		panic("client: these credentials belong to another platform")
	}
	return platform
}

// AccessToken is the present token, renewed if need be, for what is not called through the client, such as the stream of events.
func (p *Platform) AccessToken(ctx context.Context) (string, error) {
	if p.transport.credentials == nil {
		return "", errors.New("there are no credentials")
	}
	return p.transport.credentials.accessToken(ctx, p, "")
}

// ask posts to an operation that gives tokens. A request that may have been carried out is repeated within again only.
func (p *Platform) ask(ctx context.Context, path, authorization, contentType, body string, again time.Duration, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", p.cfg.UserAgent)
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	response, err := p.transport.repeated(request, again)
	if err != nil {
		return err
	}
	return read(response, answer)
}

// read is an answer in JSON, or the refusal that the answer is.
func read(response *http.Response, answer any) error {
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= 300 {
		body, err := io.ReadAll(io.LimitReader(response.Body, refusalBytesMax))
		if err != nil {
			return err
		}
		return newPlatformError(response, body)
	}
	return json.NewDecoder(io.LimitReader(response.Body, tokensBytesMax)).Decode(answer)
}

// transport is what all calls of one platform go through.
type transport struct {
	base        http.RoundTripper
	retries     RetryPolicy
	credentials *Credentials
	platform    *Platform
}

// RoundTrip sends a request with a token and a key, as often as the policy allows.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if t.credentials == nil || request.Header.Get("Authorization") != "" || givesTokens(request.URL.Path) {
		return t.repeated(request, t.again(request))
	}
	ctx := request.Context()
	token, err := t.credentials.accessToken(ctx, t.platform, "")
	if err != nil {
		return nil, err
	}
	request = request.Clone(ctx)
	if request.Method == http.MethodPost && request.Header.Get("Idempotency-Key") == "" && !strings.HasSuffix(request.URL.Path, keyless) {
		// The platform passes over it where the operation only reads.
		request.Header.Set("Idempotency-Key", newKey())
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := t.repeated(request, t.again(request))
	if err != nil || response.StatusCode != http.StatusUnauthorized || !rewinds(request) {
		return response, err
	}
	// It was refused before anything was done, so that it may be repeated whatever it is.
	drop(response)
	if token, err = t.credentials.accessToken(ctx, t.platform, token); err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return t.repeated(request, t.again(request))
}

func givesTokens(path string) bool {
	return strings.Contains(path, "/auth/authenticate/") || strings.HasSuffix(path, "/auth/sessions/refresh") ||
		strings.HasSuffix(path, "/auth/oauth/token") || strings.HasSuffix(path, "/auth/clients/token")
}

// again is for how long a request is repeated that may have been carried out.
func (t *transport) again(request *http.Request) time.Duration {
	if request.Method == http.MethodGet || request.Method == http.MethodHead || request.Header.Get("Idempotency-Key") != "" {
		return t.retries.Total
	}
	return 0
}

func (t *transport) repeated(request *http.Request, again time.Duration) (*http.Response, error) {
	ctx := request.Context()
	began := time.Now()
	for attempt := 1; ; attempt++ {
		sent := request.Clone(ctx)
		if request.GetBody != nil {
			body, err := request.GetBody()
			if err != nil {
				return nil, err
			}
			sent.Body = body
		}
		response, err := t.base.RoundTrip(sent)
		if ctx.Err() != nil && response != nil && passes(response, nil) {
			// It would have been asked again, and its time is over.
			drop(response)
			return nil, ctx.Err()
		}
		if ctx.Err() != nil || attempt >= t.retries.Attempts || !rewinds(request) || !passes(response, err) {
			return response, err
		}
		within := min(again, t.retries.Total)
		if neverDone(response, err) {
			within = t.retries.Total
		}
		pause := t.retries.pause(attempt, retryAfter(response))
		if time.Since(began)+pause > within {
			return response, err
		}
		if response != nil {
			drop(response)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
}

// rewinds tells whether the same body can be sent again.
func rewinds(request *http.Request) bool {
	return request.Body == nil || request.Body == http.NoBody || request.GetBody != nil
}

// passes tells whether the same request may be answered otherwise later.
func passes(response *http.Response, err error) bool {
	if err != nil {
		var untrusted *tls.CertificateVerificationError
		return !errors.As(err, &untrusted) && !errors.Is(err, errFileChanged)
	}
	switch response.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	default:
		return ErrorCode(response.Header.Get("Error-Code")) == ERRORCODE_IDEMPOTENCY_IN_FLIGHT
	}
}

// neverDone tells whether a request surely was not carried out: it was refused for its rate, or nobody could be reached.
func neverDone(response *http.Response, err error) bool {
	if err != nil {
		var unreached *net.OpError
		return errors.As(err, &unreached) && unreached.Op == "dial"
	}
	return response.StatusCode == http.StatusTooManyRequests
}

// drop reads a refusal, so that its connection can be used again.
func drop(response *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, refusalBytesMax))
	_ = response.Body.Close()
}

// newKey is a random UUID.
func newKey() string {
	var random [16]byte
	// It fails on no system that Go supports; an error here would be one of every program on it.
	if _, err := crypto.Read(random[:]); err != nil {
		panic(err)
	}
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[0:4], random[4:6], random[6:8], random[8:10], random[10:16])
}
