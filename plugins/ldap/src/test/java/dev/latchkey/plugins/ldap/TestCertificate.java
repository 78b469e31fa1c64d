package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.util.ObjectPair;
import com.unboundid.util.ssl.cert.PublicKeyAlgorithmIdentifier;
import com.unboundid.util.ssl.cert.SignatureAlgorithmIdentifier;
import com.unboundid.util.ssl.cert.X509Certificate;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate that a test's server shows, signed by itself. */
record TestCertificate(Certificate certificate, KeyPair keys) {

    private static final int EC_BITS = 256;
    private static final int RSA_BITS = 2048;
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** For one host name, and good for a day. */
    static TestCertificate of(String host) throws Exception {
        return of(host, Duration.ofDays(1));
    }

    /** Over since yesterday. */
    static TestCertificate expiredOf(String host) throws Exception {
        return of(host, Duration.ofDays(-1));
    }

    /** GnuTLS reads no key of an elliptic curve as the JDK writes it. */
    static TestCertificate ofRsa(String host) throws Exception {
        return of(
                host,
                Duration.ofDays(1),
                SignatureAlgorithmIdentifier.SHA_256_WITH_RSA,
                PublicKeyAlgorithmIdentifier.RSA,
                RSA_BITS);
    }

    private static TestCertificate of(String host, Duration left) throws Exception {
        return of(
                host, left, SignatureAlgorithmIdentifier.SHA_256_WITH_ECDSA, PublicKeyAlgorithmIdentifier.EC, EC_BITS);
    }

    private static TestCertificate of(
            String host,
            Duration left,
            SignatureAlgorithmIdentifier signature,
            PublicKeyAlgorithmIdentifier algorithm,
            int bits)
            throws Exception {
        long now = InstantSource.system().millis();
        ObjectPair<X509Certificate, KeyPair> made = X509Certificate.generateSelfSignedCertificate(
                signature,
                algorithm,
                bits,
                new DN("CN=" + host),
                now - Duration.ofDays(2).toMillis(),
                now + left.toMillis());
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(made.getFirst().getX509CertificateBytes()));
        return new TestCertificate(certificate, made.getSecond());
    }

    /** The server's certificate, in a store of the older kind: PKCS #12 stretches its password for a tenth of a second. */
    SSLContext context() throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setKeyEntry("server", keys.getPrivate(), PASSWORD, new Certificate[] {certificate});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** As an administrator would copy it. */
    Path pemIn(Path folder) throws Exception {
        String pem = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        return Files.writeString(folder.resolve("trusted.pem"), pem);
    }

    /** As keytool would write it, with the password {@code changeit}. */
    Path keyStoreIn(Path folder, String type) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        store.setCertificateEntry("trusted", certificate);
        Path file = folder.resolve("trusted." + type);
        try (var out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD);
        }
        return file;
    }
}
