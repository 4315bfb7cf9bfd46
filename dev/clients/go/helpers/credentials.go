package client

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	renewedBefore  = time.Minute
	renewalTimeout = time.Minute
	// The platform takes a refresh token a second time for 10 s only, for an answer that was lost; later it ends the session.
	renewedAgain = 8 * time.Second
)

// Credentials are those of one caller at one platform. Making them calls nobody: the first call that needs a token gets one. Many goroutines
// may share them; those who need a new token at the same time share one renewal.
type Credentials struct {
	kind     string
	ask      func(context.Context, *Platform) (TokenSet, error)
	onTokens []func(TokenSet) error

	mutex   sync.Mutex
	url     string
	tokens  *TokenSet
	renewAt time.Time
	untold  bool
	ended   error
	running *renewal
}

// renewal is one that runs; whoever needs a token waits for it.
type renewal struct {
	done  chan struct{}
	token string
	err   error
}

// SignIn has those of a person, by an ID token of an identity provider that the platform knows by this name.
func SignIn(provider, idToken string) *Credentials {
	return person("/auth/authenticate/"+url.PathEscape(provider), map[string]string{"idToken": idToken})
}

// Resume has those of a person, by the refresh token that was stored last.
func Resume(refreshToken string) *Credentials {
	return person(refreshPath, map[string]string{"refreshToken": refreshToken})
}

// Machine has those of a machine client, by the client credentials of OAuth 2.0.
func Machine(clientID, clientSecret string) *Credentials {
	pair := url.QueryEscape(clientID) + ":" + url.QueryEscape(clientSecret)
	authorization := "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
	return &Credentials{kind: "machine client", ask: func(ctx context.Context, platform *Platform) (TokenSet, error) {
		var answer OAuthToken
		err := platform.ask(ctx, "/auth/oauth/token", authorization, "application/x-www-form-urlencoded", "grant_type=client_credentials",
			renewedAgain, &answer)
		return TokenSet{AccessToken: answer.AccessToken, ValidForSeconds: answer.ExpiresIn}, err
	}}
}

const refreshPath = "/auth/sessions/refresh"

// person gets its first tokens from a path and later ones by the refresh token that came with the last. One renewal runs at a time, so that
// path and body have one reader.
func person(path string, body map[string]string) *Credentials {
	return &Credentials{kind: "person", ask: func(ctx context.Context, platform *Platform) (tokens TokenSet, err error) {
		content, err := json.Marshal(body)
		if err != nil {
			return tokens, err
		}
		if err = platform.ask(ctx, path, "", "application/json", string(content), renewedAgain, &tokens); err == nil {
			path, body = refreshPath, map[string]string{"refreshToken": tokens.RefreshToken}
		}
		return tokens, err
	}}
}

// OnTokens has told called with each new token set before a call uses it: store its refresh token there. When it fails, so does each call
// that needs the tokens, and the next one offers the same tokens again. Set it before the first call.
func (c *Credentials) OnTokens(told func(TokenSet) error) *Credentials {
	c.onTokens = append(c.onTokens, told)
	return c
}

// Format writes no token and no secret, whatever the verb.
func (c *Credentials) Format(state fmt.State, _ rune) {
	_, _ = fmt.Fprintf(state, "credentials of a %s", c.kind)
}

// bind has them used at one platform: another one must not see the tokens.
func (c *Credentials) bind(url string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.url == "" {
		c.url = url
	}
	return c.url == url
}

// accessToken is the token for a call, renewed if need be. refused is one that was answered 401, or empty.
func (c *Credentials) accessToken(ctx context.Context, platform *Platform, refused string) (string, error) {
	c.mutex.Lock()
	if c.ended != nil {
		defer c.mutex.Unlock()
		return "", c.ended
	}
	if c.tokens != nil && !c.untold && c.tokens.AccessToken != refused && time.Now().Before(c.renewAt) {
		defer c.mutex.Unlock()
		return c.tokens.AccessToken, nil
	}
	running := c.running
	if running == nil {
		running = &renewal{done: make(chan struct{})}
		c.running = running
		// A caller that gives up must not break off a renewal: the new refresh token would be lost with its answer.
		go c.renew(context.WithoutCancel(ctx), platform, running)
	}
	c.mutex.Unlock()
	select {
	case <-running.done:
		return running.token, running.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (c *Credentials) renew(ctx context.Context, platform *Platform, running *renewal) {
	ctx, cancel := context.WithTimeout(ctx, renewalTimeout)
	defer cancel()
	running.token, running.err = c.renewed(ctx, platform)
	c.mutex.Lock()
	c.running = nil
	c.mutex.Unlock()
	close(running.done)
}

// renewed changes what the mutex guards and is run by one goroutine at a time.
func (c *Credentials) renewed(ctx context.Context, platform *Platform) (string, error) {
	if !c.untold {
		asked := time.Now()
		tokens, err := c.ask(ctx, platform)
		c.mutex.Lock()
		if err == nil {
			valid := time.Duration(tokens.ValidForSeconds) * time.Second
			c.tokens, c.renewAt, c.untold = &tokens, asked.Add(valid-min(renewedBefore, valid/10)), true
		}
		var refused *PlatformError
		if errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
			err = &SessionEndedError{refused}
			c.ended = err
		}
		c.mutex.Unlock()
		if err != nil {
			return "", err
		}
	}
	for _, told := range c.onTokens {
		if err := told(*c.tokens); err != nil {
			return "", err
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.untold = false
	return c.tokens.AccessToken, nil
}
