package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The certificates are for throw-away clusters: one year outlives every test run.
const (
	validity = 365 * 24 * time.Hour
	// leeway lets a certificate be valid a little before now, for clocks that disagree.
	leeway = time.Hour
)

// authority signs certificates; its own files are NAME.crt and NAME.key.
type authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// writeCertificates fills dir with all key material of one control plane:
//
//	ca.{crt,key}                  signs the API server's and the clients' certificates
//	front-proxy-ca.{crt,key}      signs what the API server shows to aggregated APIs
//	apiserver.{crt,key}           serving certificate for 127.0.0.1, ::1 and localhost
//	front-proxy-client.{crt,key}  the API server's identity towards aggregated APIs
//	admin.{crt,key}               client certificate of a member of system:masters
//	sa.{pub,key}                  key pair of service account tokens
func writeCertificates(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ca, err := newAuthority(dir, "ca", "fallow-rig-ca")
	if err != nil {
		return err
	}
	frontProxyCA, err := newAuthority(dir, "front-proxy-ca", "fallow-rig-front-proxy-ca")
	if err != nil {
		return err
	}
	serving := leaf("kube-apiserver", x509.ExtKeyUsageServerAuth)
	serving.DNSNames = []string{
		"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc",
	}
	serving.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if err := ca.issue(dir, "apiserver", serving); err != nil {
		return err
	}
	frontProxyClient := leaf("front-proxy-client", x509.ExtKeyUsageClientAuth)
	if err := frontProxyCA.issue(dir, "front-proxy-client", frontProxyClient); err != nil {
		return err
	}
	admin := leaf("admin", x509.ExtKeyUsageClientAuth)
	admin.Subject.Organization = []string{"system:masters"}
	if err := ca.issue(dir, "admin", admin); err != nil {
		return err
	}
	return writeServiceAccountKeys(dir)
}

func newAuthority(dir, name, commonName string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: commonName},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	certificate, err := sign(dir, name, template, template, key, key)
	if err != nil {
		return nil, err
	}
	return &authority{certificate: certificate, key: key}, nil
}

func leaf(commonName string, usage x509.ExtKeyUsage) *x509.Certificate {
	return &x509.Certificate{
		Subject:     pkix.Name{CommonName: commonName},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}
}

// issue writes NAME.crt, signed by this authority, and its new NAME.key.
func (a *authority) issue(dir, name string, template *x509.Certificate) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	_, err = sign(dir, name, template, a.certificate, key, a.key)
	return err
}

func sign(dir, name string, template, parent *x509.Certificate, key, parentKey crypto.Signer) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template.SerialNumber = serial
	template.NotBefore = now.Add(-leeway)
	template.NotAfter = now.Add(validity)
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), parentKey)
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", name, err)
	}
	if err := writePEM(filepath.Join(dir, name+".crt"), "CERTIFICATE", der, 0o644); err != nil {
		return nil, err
	}
	if err := writePrivateKey(filepath.Join(dir, name+".key"), key); err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

func writeServiceAccountKeys(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if err := writePrivateKey(filepath.Join(dir, "sa.key"), key); err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	return writePEM(filepath.Join(dir, "sa.pub"), "PUBLIC KEY", public, 0o644)
}

// writePrivateKey writes PKCS #8, the one form that Go, Java and OpenSSL all read.
func writePrivateKey(path string, key crypto.Signer) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(path, "PRIVATE KEY", der, 0o600)
}

func writePEM(path, kind string, der []byte, mode os.FileMode) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), mode)
}
