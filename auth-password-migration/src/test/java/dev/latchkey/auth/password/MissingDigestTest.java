package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.migration.DangerousFormat;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a JVM without MD5 and SHA-1, as restricted to approved algorithms (FIPS 140). */
class MissingDigestTest {

    private static final String BCRYPT = "{bcrypt}$2b$04$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS";

    /** One of each digest, all of the letter a. */
    private static final List<String> ROWS = List.of(
            "*667F407DE7C6AD07358FA38DAED7828A72014B4E",
            "{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF",
            "{SMD5}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF",
            "$1$saltsalt$TLa2BdF/JzVHtgHZxXDjI0",
            "$P$8saltsaltPRr6My31sAutTGdzMdIiy/",
            "{pbkdf2}" + "ab".repeat(40),
            "{MD5}0cc175b9c0f1b6a831c399e269772661");

    private static List<String> lines = List.of();

    /** What the rows are there, a line each. */
    static final class Restricted {

        private Restricted() {}

        public static void main(String[] arguments) {
            Provider sun = Security.getProvider("SUN");
            Security.removeProvider(sun.getName());
            Security.insertProviderAt(new ApprovedOnly(sun), 1);
            PasswordEncoders encoders =
                    Foreign.encoders().reading(ForeignFormats.all().readingDangerously(DangerousFormat.MD5));
            for (String row : ROWS) {
                HashInfo info = encoders.identify(row);
                System.out.println(encoders.matches("a", row) + " " + info.standing() + " " + info.reason());
            }
            for (HashSpec spec : PasswordEncodersTest.specs()) {
                PasswordEncoders writing = encoders.withDefault(spec);
                System.out.println("written " + writing.matches("a", writing.encode("a")));
            }
            HashInfo current = encoders.identify(BCRYPT);
            System.out.println("bcrypt " + current.standing() + current.reason());
        }
    }

    /** All that the JDK's provider has, but for MD5 and SHA-1. */
    private static final class ApprovedOnly extends Provider {

        private static final long serialVersionUID = 1;

        ApprovedOnly(Provider all) {
            super("approved", "1", "");
            String sha1 = all.getService("MessageDigest", "SHA-1").getAlgorithm();
            for (Service service : all.getServices()) {
                if (service.getAlgorithm().equals(sha1)) {
                    // Only the JDK's own random numbers use this name.
                    putService(new Passing(this, service, "SHA"));
                } else if (!service.getAlgorithm().equals("MD5")) {
                    putService(new Passing(this, service, service.getAlgorithm()));
                }
            }
        }

        private static final class Passing extends Service {
            private final Service service;

            Passing(Provider provider, Service service, String algorithm) {
                super(provider, service.getType(), algorithm, service.getClassName(), null, null);
                this.service = service;
            }

            @Override
            public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                return service.newInstance(parameter);
            }
        }
    }

    @BeforeAll
    static void runRestricted() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Restricted.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as(() -> String.join("\n", lines)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, SHA-1", "1, SHA-1", "2, MD5", "3, MD5", "4, MD5", "5, SHA-1", "6, MD5"})
    void rowThatNeedsTheDigest_isRefused_andTheDigestIsNamed(int row, String digest) {
        assertThat(lines.get(row))
                .isEqualTo("false REFUSED needs " + digest + ", which no security provider of this JVM has");
        assertThat(Foreign.encoders()
                        .reading(ForeignFormats.all().readingDangerously(DangerousFormat.MD5))
                        .identify(ROWS.get(row))
                        .standing())
                .isEqualTo(HashInfo.Standing.UPGRADE);
    }

    @Test
    void allElse_isWrittenAndRead() {
        assertThat(lines.subList(ROWS.size(), lines.size()))
                .containsExactly("written true", "written true", "written true", "written true", "bcrypt CURRENT");
    }
}
