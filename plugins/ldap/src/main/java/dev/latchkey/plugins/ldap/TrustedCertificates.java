package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The trusted certificates for a directory: those of the JDK, or only those of a file. A file with PEM certificates
 * needs no password; a keytool file (JKS or PKCS #12) needs one. No setting trusts all certificates.
 */
final class TrustedCertificates {

    static final PluginSetting<Path> FILE = PluginSetting.path(
            "trust-file",
            "the only trusted certificates; by default the JDK's. PEM, or a file of keytool (JKS, PKCS #12) with trust-password");

    static final PluginSetting<Secret> PASSWORD =
            PluginSetting.secret("trust-password", "the password of a trust-file of keytool");

    private static final String PEM = "-----BEGIN ";

    private TrustedCertificates() {}

    static void check(PluginEnvironment environment) {
        if (environment.find(FILE).isEmpty() && environment.find(PASSWORD).isPresent()) {
            var unused = environment.missing(FILE);
        }
    }

    static SSLContext of(PluginEnvironment environment) {
        Optional<Path> file = environment.find(FILE);
        Optional<Secret> password = environment.find(PASSWORD);
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, file.isEmpty() ? null : trusting(environment, file.get(), password.orElse(null)), null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw environment.wrong(FILE, "a file with certificates that can be trusted");
        }
    }

    private static TrustManager[] trusting(PluginEnvironment environment, Path file, @Nullable Secret password)
            throws GeneralSecurityException {
        KeyStore trusted = storeOf(environment, file, password);
        if (trusted.size() == 0) {
            throw environment.wrong(FILE, "a file with at least one certificate");
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        return managers.getTrustManagers();
    }

    private static KeyStore storeOf(PluginEnvironment environment, Path file, @Nullable Secret password)
            throws GeneralSecurityException {
        try {
            byte[] bytes = Files.readAllBytes(file);
            if (new String(bytes, StandardCharsets.ISO_8859_1).contains(PEM)) {
                return pemStore(bytes);
            }
            if (password == null) {
                throw environment.wrong(FILE, "a file of PEM certificates, or one of keytool with its trust-password");
            }
            return keytoolStore(environment, file.toFile(), password);
        } catch (IOException e) {
            throw environment.wrong(FILE, "the path of a file that this service may read");
        }
    }

    private static KeyStore pemStore(byte[] pem) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    private static KeyStore keytoolStore(PluginEnvironment environment, File file, Secret password)
            throws GeneralSecurityException {
        char[] characters = password.withText(text -> text.toString().toCharArray());
        try {
            return KeyStore.getInstance(file, characters);
        } catch (IOException e) {
            throw environment.wrong(PASSWORD, "the password of the file that trust-file names");
        }
    }
}
