package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's snippet, between the markers, is the code of this test. */
class ReadmeTest {

    @Test
    void snippet_compilesAndHolds(@TempDir Path directory) throws IOException {
        byte[] random = new byte[48];
        new Random(1).nextBytes(random);
        Path file = Files.writeString(
                directory.resolve("token-key"), Base64.getEncoder().encodeToString(random) + "\n");
        // snippet
        HmacKey key = HmacKey.ofFile(file); // openssl rand -base64 48
        RotatingKeys keys = RotatingKeys.startingWith(key);

        JwtSigner signer = JwtSigner.with(keys).withGeneratedIds();
        JwtClaims claims = JwtClaims.forSubject("alice", Duration.ofHours(5));
        String token = signer.sign(claims.with("authorities", List.of("ROLE_USER")));

        JwtVerifier verifier = JwtVerifier.with(keys);
        String greeting =
                verifier.verify(token).fold(jwt -> "Hello " + jwt.subject().orElseThrow(), defect -> defect.code());
        // end
        assertThat(greeting).isEqualTo("Hello alice");
        assertThat(key.algorithm()).isEqualTo(HmacAlgorithm.HS384);
        VerifiedJwt jwt = verifier.verifyOrThrow(token);
        assertThat(jwt.id()).isPresent();
        assertThat(jwt.texts("authorities")).hasValue(List.of("ROLE_USER"));
    }

    @Test
    void readme_holdsTheSnippet() throws IOException {
        String test = Files.readString(Path.of("src/test/java/dev/latchkey/auth/jwt/ReadmeTest.java"));
        String snippet = test.substring(test.indexOf("// snippet\n") + 11, test.indexOf("        // end\n"));
        assertThat(Files.readString(Path.of("README.md")))
                .contains(snippet.stripTrailing().stripIndent());
    }
}
