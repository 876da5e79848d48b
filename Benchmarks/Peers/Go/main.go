// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// golang-jwt over Go's own cryptography, as a contender of ../turns.py, where the commands are described: token-peer DATA KID.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/golang-jwt/jwt"
)

// In version 4 the library leaves iss and aud to the caller; a claims type of one's own with Valid does it all at once, and
// decodes faster than one around the library's RegisteredClaims.
type idClaims struct {
	Iss           string `json:"iss"`
	Azp           string `json:"azp"`
	Aud           string `json:"aud"`
	Sub           string `json:"sub"`
	Hd            string `json:"hd"`
	Email         string `json:"email"`
	EmailVerified bool   `json:"email_verified"`
	AtHash        string `json:"at_hash"`
	Nonce         string `json:"nonce"`
	Name          string `json:"name"`
	Picture       string `json:"picture"`
	Iat           int64  `json:"iat"`
	Exp           int64  `json:"exp"`
}

type sessionClaims struct {
	Sub string `json:"sub"`
	Iat int64  `json:"iat"`
	Exp int64  `json:"exp"`
	Iss string `json:"iss"`
	Aud string `json:"aud"`
}

func (c *idClaims) Valid() error      { return check(c.Iss, c.Aud, c.Exp, &expectedID) }
func (c *sessionClaims) Valid() error { return check(c.Iss, c.Aud, c.Exp, &expectedSession) }

// What is asked of the two kinds of payload.
type expectation struct{ issuer, audience string }

var expectedID, expectedSession expectation

func check(issuer, audience string, expiration int64, expected *expectation) error {
	switch {
	case issuer != expected.issuer:
		return errors.New("another issuer")
	case audience != expected.audience:
		return errors.New("another audience")
	case time.Now().Unix() >= expiration:
		return errors.New("expired")
	}
	return nil
}

type keys struct {
	method             jwt.SigningMethod
	signing, verifying interface{}
	parser             *jwt.Parser
}

func load(data, name string) *keys {
	file := func(suffix string) []byte { return must(os.ReadFile(data + "/" + name + "." + suffix)) }
	k := &keys{method: jwt.GetSigningMethod(name), parser: jwt.NewParser(jwt.WithValidMethods([]string{name}))}
	switch name {
	case "HS256":
		k.signing = file("secret")
		k.verifying = k.signing
	case "RS256":
		k.signing = must(jwt.ParseRSAPrivateKeyFromPEM(file("private.pem")))
		k.verifying = must(jwt.ParseRSAPublicKeyFromPEM(file("public.pem")))
	case "ES256":
		k.signing = must(jwt.ParseECPrivateKeyFromPEM(file("private.pem")))
		k.verifying = must(jwt.ParseECPublicKeyFromPEM(file("public.pem")))
	default:
		k.signing = must(jwt.ParseEdPrivateKeyFromPEM(file("private.pem")))
		k.verifying = must(jwt.ParseEdPublicKeyFromPEM(file("public.pem")))
	}
	return k
}

func (k *keys) verify(token string, claims jwt.Claims) error {
	_, err := k.parser.ParseWithClaims(token, claims, func(*jwt.Token) (interface{}, error) { return k.verifying, nil })
	return err
}

func (k *keys) sign(claims jwt.Claims, kid string) string {
	token := jwt.NewWithClaims(k.method, claims)
	token.Header["kid"] = kid
	return must(token.SignedString(k.signing))
}

func (k *keys) answer(words []string, payload jwt.Claims, empty func() jwt.Claims, kid string) string {
	figure := func(action string, nanoseconds float64) string {
		return fmt.Sprintf("go|%s %s %s|1|%.1f", words[1], action, words[2], nanoseconds)
	}
	switch words[0] {
	case "verify":
		claims := empty()
		if err := k.verify(words[3], claims); err != nil {
			return "refused " + err.Error()
		}
		return "accepted " + string(must(json.Marshal(claims)))
	case "sign":
		return k.sign(payload, kid)
	case "time-verify":
		return figure("verify", measure(words[3], func() {
			claims := empty()
			if err := k.verify(words[4], claims); err != nil {
				panic(err)
			}
			kept = claims
		}))
	case "time-sign":
		return figure("sign", measure(words[3], func() { kept = k.sign(payload, kid) }))
	}
	panic("no command " + words[0])
}

// What is stored here, the compiler cannot leave out.
var kept interface{}

// The median over batches of at least 1 ms, in nanoseconds for one call.
func measure(milliseconds string, call func()) float64 {
	batch := func(count int) float64 {
		start := processorTime()
		for i := 0; i < count; i++ {
			call()
		}
		return processorTime() - start
	}
	count := 2
	for batch(count) < 1e6 {
		count *= 2
	}
	var figures []float64
	for end := processorTime() + must(strconv.ParseFloat(milliseconds, 64))*1e6; processorTime() < end; {
		figures = append(figures, batch(count)/float64(count))
	}
	sort.Float64s(figures)
	return figures[len(figures)/2]
}

// Of all threads of the process (the garbage collector's too), in nanoseconds and steps of a microsecond.
func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	data, kid := os.Args[1], os.Args[2]
	var id idClaims
	var session sessionClaims
	if err := json.Unmarshal(must(os.ReadFile(data+"/id.json")), &id); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(must(os.ReadFile(data+"/ses.json")), &session); err != nil {
		panic(err)
	}
	expectedID = expectation{id.Iss, id.Aud}
	expectedSession = expectation{session.Iss, session.Aud}
	loaded := map[string]*keys{}
	for _, name := range []string{"HS256", "RS256", "ES256", "EdDSA"} {
		loaded[name] = load(data, name)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Split(lines.Text(), " ")
		if words[2] == "id" {
			fmt.Println(loaded[words[1]].answer(words, &id, func() jwt.Claims { return new(idClaims) }, kid))
		} else {
			fmt.Println(loaded[words[1]].answer(words, &session, func() jwt.Claims { return new(sessionClaims) }, kid))
		}
	}
}
