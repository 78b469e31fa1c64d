package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.token.SigningKeyRotation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A leaked key was dropped, and afterwards the key files change: the key does not come back while the service runs. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class DroppedKeyFilesTest {

    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final String LEAKED = SigningKeyRotationTest.newKeyOf(1);
    private static final String SECOND = SigningKeyRotationTest.newKeyOf(2);
    private static final String THIRD = SigningKeyRotationTest.newKeyOf(3);
    private static final String FOREIGN = SigningKeyRotationTest.newKeyOf(4);

    @TempDir
    Path folder;

    private Path signing;
    private Path verifying;
    private Node node;
    private String forged;

    /** As the guide for several nodes has it: both files hold the same key. */
    @BeforeEach
    void leakedKeyInBothFiles() throws IOException {
        signing = Files.writeString(folder.resolve("jwt.key"), LEAKED);
        verifying = Files.writeString(folder.resolve("next.key"), LEAKED);
        node = new Node();
        forged = node.sign();
    }

    @Test
    void newKeyInTheSigningFile_doesNotBringBackTheDroppedOneOfAnotherFile() throws IOException {
        node.rotation.rotateAndDrop(key(SECOND));
        Files.writeString(signing, SECOND);
        assertThat(node.rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(node.verifies(forged)).isFalse();
        assertThat(node.signsWith(SECOND)).isTrue();
        Files.writeString(signing, THIRD);
        assertThat(node.rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(node.verifies(forged)).isFalse();
    }

    @Test
    void droppedKeyPutIntoAFileForVerifyingKeys_isLeftOut_andTheOtherFilesHold(CapturedOutput log) throws IOException {
        Files.writeString(verifying, FOREIGN);
        node.rotation.reload();
        node.rotation.rotateAndDrop(key(SECOND));
        Files.writeString(verifying, LEAKED);
        assertThat(node.rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(node.verifies(forged)).isFalse();
        assertThat(node.signsWith(SECOND)).isTrue();
        assertThat(log).contains("latchkey.jwt.verifying-secret-files").contains("was dropped");
        assertThat(log).doesNotContain(LEAKED.trim());
    }

    @Test
    void droppedKeyPutBackIntoTheSigningFile_isRefused_andLoggedOnce(CapturedOutput log) throws IOException {
        Files.writeString(signing, SECOND);
        assertThat(node.rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        Files.writeString(signing, LEAKED);
        assertThat(node.rotation.reload()).isEqualTo(Outcome.REFUSED);
        assertThat(node.rotation.reloadAndDrop()).isEqualTo(Outcome.REFUSED);
        assertThat(node.signsWith(SECOND)).isTrue();
        assertThat(node.verifies(forged)).isFalse();
        assertThat(log.getAll().split("The signing keys stay as they are", -1)).hasSize(2);
        Files.writeString(signing, THIRD);
        assertThat(node.rotation.reload()).isEqualTo(Outcome.ROTATED);
    }

    @Test
    void keyThatSignedBefore_isDroppedThoughAFileForVerifyingKeysStillHasIt() throws IOException {
        Files.writeString(signing, SECOND);
        assertThat(node.rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        assertThat(node.verifies(forged)).isFalse();
        Files.writeString(verifying, FOREIGN);
        node.rotation.reload();
        Files.writeString(verifying, LEAKED);
        node.rotation.reload();
        assertThat(node.verifies(forged)).isFalse();
    }

    @Test
    void keyThatTheWatchReplacedBefore_isDroppedThoughAFileStillHasIt_andTheLogSaysSo(CapturedOutput log)
            throws IOException {
        Files.writeString(signing, SECOND);
        assertThat(node.rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(node.verifies(forged)).isTrue();
        assertThat(log).doesNotContain("was dropped");
        assertThat(node.rotation.reloadAndDrop()).isEqualTo(Outcome.DROPPED);
        assertThat(log).contains("latchkey.jwt.verifying-secret-files holds");
        assertThat(log).doesNotContain("latchkey.jwt.secret holds");
        assertThat(node.verifies(forged)).isFalse();
        Files.writeString(signing, THIRD);
        node.rotation.reload();
        assertThat(node.verifies(forged)).isFalse();
    }

    @Test
    void keyOfAFileThatNeverSigned_verifiesOnAfterADrop() throws IOException {
        Files.writeString(verifying, FOREIGN);
        node.rotation.reload();
        String foreign = JwtSigner.with(key(FOREIGN)).withTimeSource(() -> NOW).sign(Node.CLAIMS);
        node.rotation.rotateAndDrop(key(SECOND));
        assertThat(node.verifies(foreign)).isTrue();
        Files.writeString(signing, SECOND);
        assertThat(node.rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        assertThat(node.verifies(foreign)).isTrue();
        assertThat(node.verifies(forged)).isFalse();
    }

    @Test
    void keysDroppedOneAfterTheOther_allStayDropped() throws IOException {
        node.rotation.rotateAndDrop(key(SECOND));
        String ofTheSecond = node.sign();
        node.rotation.rotateAndDrop(key(THIRD));
        for (String dropped : List.of(LEAKED, SECOND)) {
            Files.writeString(verifying, FOREIGN);
            node.rotation.reload();
            Files.writeString(verifying, dropped);
            node.rotation.reload();
            assertThat(node.verifies(forged)).isFalse();
            assertThat(node.verifies(ofTheSecond)).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> node.rotation.rotateTo(key(dropped)));
        }
        assertThat(node.signsWith(THIRD)).isTrue();
    }

    @Test
    void leakedKeyThatWasClosed_doesNotComeBackFromItsFile() throws IOException {
        node.keys.ring().signingKey().close();
        assertThatIllegalArgumentException().isThrownBy(() -> node.rotation.rotateAndDrop(key(LEAKED)));
        node.rotation.rotateAndDrop(key(SECOND));
        Files.writeString(signing, SECOND);
        node.rotation.reload();
        assertThat(node.verifies(forged)).isFalse();
    }

    @Test
    void eachNodeDropsForItself() throws IOException {
        Node another = new Node();
        node.rotation.rotateAndDrop(key(SECOND));
        assertThat(node.verifies(forged)).isFalse();
        assertThat(another.verifies(forged)).as("not told yet").isTrue();
        Files.writeString(signing, SECOND);
        assertThat(another.rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        node.rotation.reload();
        assertThat(another.verifies(forged)).isFalse();
        assertThat(node.verifies(forged)).isFalse();
        assertThat(another.verifies(node.sign())).isTrue();
    }

    @Test
    void afterARestart_theFilesDecide_andTheLogSaysSoWhenTheKeyIsDropped(CapturedOutput log) throws IOException {
        node.rotation.rotateAndDrop(key(SECOND));
        assertThat(log).contains("latchkey.jwt.secret holds").contains("restart");
        assertThat(new Node().verifies(forged)).isTrue();
        Files.writeString(signing, SECOND);
        Files.writeString(verifying, SECOND);
        assertThat(new Node().verifies(forged)).isFalse();
    }

    private static HmacKey key(String base64) {
        return HmacKey.ofBase64(base64.trim());
    }

    /** A process that reads these files. */
    private final class Node {

        private static final Duration LIFETIME = Duration.ofHours(1);
        static final JwtClaims CLAIMS = JwtClaims.forSubject("alice", LIFETIME);

        final RotatingKeys keys;
        final SigningKeyRotation rotation;

        Node() throws IOException {
            keys = RotatingKeys.startingWith(HmacKey.ofFile(signing));
            rotation = new SigningKeyRotation(keys, new KeyFiles(signing, List.of(verifying)), LIFETIME, () -> NOW);
        }

        String sign() {
            return JwtSigner.with(keys).withTimeSource(() -> NOW).sign(CLAIMS);
        }

        boolean verifies(String token) {
            return JwtVerifier.with(keys)
                    .withTimeSource(() -> NOW)
                    .verify(token)
                    .verified()
                    .isPresent();
        }

        boolean signsWith(String base64) {
            return keys.ring().signingKey().isSameKeyAs(key(base64));
        }
    }
}
