package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.KeyRing;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.token.SigningKeyRotation.Outcome;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Key files that change, and what becomes of the keys. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class SigningKeyRotationTest {

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final JwtClaims CLAIMS = JwtClaims.forSubject("alice", LIFETIME);

    @TempDir
    Path folder;

    private final Random random = new Random(42);
    private Instant now = Instant.parse("2026-11-21T12:00:00Z");
    private Path file;
    private RotatingKeys ring;
    private SigningKeyRotation rotation;

    @BeforeEach
    void keyInAFile() throws IOException {
        file = Files.writeString(folder.resolve("jwt.key"), newKey());
        ring = RotatingKeys.startingWith(HmacKey.ofFile(file));
        rotation = rotationOf(new KeyFiles(file, List.of()));
    }

    @Test
    void unchangedFile_changesNothing() {
        long version = ring.version();
        assertThat(rotation.reload()).isEqualTo(Outcome.UNCHANGED);
        assertThat(ring.version()).isEqualTo(version);
    }

    @Test
    void changedFile_signsNewTokens_andTheEarlierOnesVerifyUntilTheyExpire() throws IOException {
        String earlier = sign();
        Files.writeString(file, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        String later = sign();
        assertThat(verifies(earlier)).isTrue();
        assertThat(verifies(later)).isTrue();
        assertThat(JwtVerifier.with(HmacKey.ofFile(file))
                        .withTimeSource(() -> now)
                        .verify(later))
                .isInstanceOf(JwtResult.Verified.class);
        now = now.plus(LIFETIME).minusSeconds(1);
        assertThat(verifies(earlier)).isTrue();
        now = now.plusSeconds(2);
        assertThat(verifies(earlier)).isFalse();
    }

    @Test
    void earlierKey_verifiesNothingAfterItsTime_howeverLongATokenOfItSaysItLives() throws IOException {
        String longLived = JwtSigner.with(ring)
                .withTimeSource(() -> now)
                .sign(JwtClaims.forSubject("mallory", Duration.ofDays(365)));
        Files.writeString(file, newKey());
        rotation.reload();
        assertThat(verifies(longLived)).isTrue();
        now = now.plus(LIFETIME);
        assertThat(verifies(longLived)).isFalse();
    }

    @Test
    void symlinkSwap_asKubernetesDoesIt_isSeen() throws IOException {
        Path first = Files.createDirectory(folder.resolve("..1"));
        Path second = Files.createDirectory(folder.resolve("..2"));
        Files.writeString(first.resolve("jwt"), Files.readString(file));
        Files.writeString(second.resolve("jwt"), newKey());
        Path data = Files.createSymbolicLink(folder.resolve("..data"), first);
        Path mounted = Files.createSymbolicLink(folder.resolve("mounted"), Path.of("..data/jwt"));
        rotation = rotationOf(new KeyFiles(mounted, List.of()));
        assertThat(rotation.reload()).isEqualTo(Outcome.UNCHANGED);
        Path swapped = Files.createSymbolicLink(folder.resolve("..data_tmp"), second);
        Files.move(swapped, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
    }

    @Test
    void fileAsTheUsualToolsWriteIt_isRead() throws IOException {
        byte[] key = new byte[64];
        random.nextBytes(key);
        byte[] lineEnd = {'\n'};
        Files.writeString(file, Base64.getMimeEncoder(64, lineEnd).encodeToString(key) + "\n");
        assertThat(rotation.reload()).as("openssl rand -base64 64").isEqualTo(Outcome.ROTATED);
        assertThat(ring.ring().signingKey().isSameKeyAs(HmacKey.of(key))).isTrue();
        Files.writeString(file, Base64.getUrlEncoder().withoutPadding().encodeToString(key) + "\n");
        assertThat(rotation.reload()).as("one line of Base64").isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    void badFile_leavesTheKeysAsTheyAre_andIsLoggedOnce(CapturedOutput log) throws IOException {
        String token = sign();
        long version = ring.version();
        for (String content : List.of("", "c2hvcnQ=", "no base64 at all", "A".repeat(5000))) {
            Files.writeString(file, content);
            assertThat(rotation.reload()).isEqualTo(Outcome.REFUSED);
            assertThat(rotation.reload()).isEqualTo(Outcome.REFUSED);
        }
        Files.delete(file);
        assertThat(rotation.reload()).isEqualTo(Outcome.REFUSED);
        assertThat(ring.version()).isEqualTo(version);
        assertThat(verifies(token)).isTrue();
        assertThat(log.getAll().split("The signing keys stay as they are", -1)).hasSize(6);
        assertThat(log).doesNotContain("c2hvcnQ", "no base64 at all");
    }

    @Test
    void keyThatComesBack_isInTheRingOnce() throws IOException {
        String first = Files.readString(file);
        for (int i = 0; i < 40; i++) {
            Files.writeString(file, i % 2 == 0 ? newKeyOf(7) : first);
            assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        }
        assertThat(ring.ring().size()).isEqualTo(2);
    }

    @Test
    void moreKeysThanARingHolds_areRefused() throws IOException {
        for (int i = 0; i < 15; i++) {
            Files.writeString(file, newKey());
            assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        }
        Files.writeString(file, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.REFUSED);
        now = now.plus(LIFETIME);
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
    }

    @Test
    void keyFromACaller_takesOver_andAClosedOneIsRefused() {
        HmacKey next = HmacKey.generate(HmacAlgorithm.HS512);
        rotation.rotateTo(next);
        assertThat(ring.ring().signingKey()).isSameAs(next);
        HmacKey closed = HmacKey.generate(HmacAlgorithm.HS256);
        closed.close();
        assertThatIllegalArgumentException().isThrownBy(() -> rotation.rotateTo(closed));
        assertThat(ring.ring().signingKey()).isSameAs(next);
    }

    @Test
    void keyFromACaller_staysUntilItsFileChanges() throws IOException {
        Path other = Files.writeString(folder.resolve("other.key"), newKey());
        rotation = rotationOf(new KeyFiles(file, List.of(other)));
        HmacKey next = HmacKey.generate(HmacAlgorithm.HS256);
        rotation.rotateTo(next);
        assertThat(rotation.reload()).isEqualTo(Outcome.UNCHANGED);
        assertThat(ring.ring().signingKey()).isSameAs(next);
        Files.writeString(other, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(ring.ring().signingKey()).as("another file changed").isSameAs(next);
        Files.writeString(file, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(ring.ring().signingKey().isSameKeyAs(HmacKey.ofFile(file))).isTrue();
    }

    @Test
    void earlierKeyThatWasClosed_keepsNobodyFromRotating() throws IOException {
        ring.ring().signingKey().close();
        Files.writeString(file, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        ring.ring().signingKey().close();
        rotation.rotateTo(HmacKey.generate(HmacAlgorithm.HS256));
        assertThat(ring.ring().size()).isEqualTo(1);
    }

    @Test
    void replacedKeyThatWasClosed_isNotReadFromItsFileAgain() throws IOException {
        Path other = Files.writeString(folder.resolve("other.key"), newKey());
        rotation = rotationOf(new KeyFiles(file, List.of(other)));
        HmacKey closed = ring.ring().signingKey();
        String forged = sign();
        HmacKey next = HmacKey.generate(HmacAlgorithm.HS256);
        rotation.rotateTo(next);
        closed.close();
        assertThat(rotation.reload()).isEqualTo(Outcome.UNCHANGED);
        assertThat(ring.ring().signingKey()).isSameAs(next);
        Files.writeString(other, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(ring.ring().signingKey()).isSameAs(next);
        assertThat(verifies(forged)).isFalse();
    }

    @Test
    void ringOfTheService_keepsItsVerifyingKeys() throws IOException {
        HmacKey partner = HmacKey.generate(HmacAlgorithm.HS256);
        ring = RotatingKeys.startingWith(KeyRing.of(HmacKey.ofFile(file)).alsoVerifying(partner, now.plusSeconds(60)));
        rotation = rotationOf(KeyFiles.NONE);
        String foreign = JwtSigner.with(partner).withTimeSource(() -> now).sign(CLAIMS);
        String earlier = sign();
        rotation.rotateTo(HmacKey.generate(HmacAlgorithm.HS256));
        assertThat(verifies(foreign)).isTrue();
        assertThat(verifies(earlier)).isTrue();
        now = now.plusSeconds(60);
        assertThat(verifies(foreign)).isFalse();
        assertThat(verifies(earlier)).isTrue();
    }

    @Test
    void keyWithoutAnEndInTheServicesRing_verifiesOn_besideTheFiles() throws IOException {
        Path other = Files.writeString(folder.resolve("other.key"), newKey());
        HmacKey partner = HmacKey.generate(HmacAlgorithm.HS256);
        ring.replaceWith(ring.ring().alsoVerifying(partner, Instant.MAX));
        rotation = rotationOf(new KeyFiles(file, List.of(other)));
        String foreign = JwtSigner.with(partner).withTimeSource(() -> now).sign(CLAIMS);
        assertThat(verifies(foreign)).isTrue();
        Files.writeString(file, newKey());
        Files.writeString(other, newKey());
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        rotation.rotateAndDrop(HmacKey.generate(HmacAlgorithm.HS256));
        assertThat(verifies(foreign)).isTrue();
        assertThat(ring.ring().size()).isEqualTo(3);
    }

    @Test
    void keyThatTheServiceSignsWithByItsRing_isThePreviousOne() {
        rotation = rotationOf(KeyFiles.NONE);
        HmacKey leaked = HmacKey.generate(HmacAlgorithm.HS256);
        ring.rotateTo(leaked, now.plus(LIFETIME), now);
        String forged = sign();
        assertThatIllegalArgumentException().isThrownBy(() -> rotation.rotateAndDrop(leaked));
        rotation.rotateTo(HmacKey.generate(HmacAlgorithm.HS256));
        assertThat(verifies(forged)).isTrue();
        rotation.rotateAndDrop(HmacKey.generate(HmacAlgorithm.HS256));
        assertThat(verifies(forged)).isFalse();
        assertThat(ring.hasDropped(leaked)).isTrue();
    }

    @Test
    void leakedKeyThatWasReplacedInItsFile_stopsVerifyingAtOnce() throws IOException {
        String forged = sign();
        Files.writeString(file, newKey());
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        assertThat(verifies(forged)).isFalse();
        assertThat(verifies(sign())).isTrue();
        assertThat(ring.ring().size()).isEqualTo(1);
    }

    @Test
    void leakedKeyThatTheWatchReplacedAlready_isDroppedAllTheSame() throws IOException {
        String oldest = sign();
        Files.writeString(file, newKey());
        rotation.reload();
        String older = sign();
        Files.writeString(file, newKey());
        rotation.reload();
        String present = sign();
        assertThat(verifies(oldest)).isTrue();
        assertThat(verifies(older)).isTrue();
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.DROPPED);
        assertThat(verifies(oldest)).isFalse();
        assertThat(verifies(older)).isFalse();
        assertThat(verifies(present)).isTrue();
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.UNCHANGED);
        Files.writeString(file, newKey());
        rotation.reload();
        assertThat(verifies(older)).as("not brought back").isFalse();
        assertThat(verifies(present)).isTrue();
    }

    @Test
    void keysOfOtherFiles_verifyOnWhenTheEarlierOnesAreDropped() throws IOException {
        Path other = Files.writeString(folder.resolve("other.key"), newKey());
        String foreign =
                JwtSigner.with(HmacKey.ofFile(other)).withTimeSource(() -> now).sign(CLAIMS);
        rotation = rotationOf(new KeyFiles(file, List.of(other)));
        Files.writeString(file, newKey());
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        assertThat(verifies(foreign)).isTrue();
        Files.writeString(other, newKey());
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        assertThat(verifies(foreign)).isFalse();
    }

    @Test
    void keyOfAnotherFile_verifiesOnWhenTheKeysThatSignedBeforeAreDropped() throws IOException {
        Path other = Files.writeString(folder.resolve("other.key"), newKey());
        String foreign =
                JwtSigner.with(HmacKey.ofFile(other)).withTimeSource(() -> now).sign(CLAIMS);
        rotation = rotationOf(new KeyFiles(file, List.of(other)));
        String earlier = sign();
        Files.writeString(file, newKey());
        rotation.reload();
        assertThat(verifies(earlier)).isTrue();
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.DROPPED);
        assertThat(verifies(earlier)).isFalse();
        assertThat(verifies(foreign)).isTrue();
    }

    @Test
    void dropping_makesRoomInAFullRing() throws IOException {
        for (int i = 0; i < 15; i++) {
            Files.writeString(file, newKey());
            rotation.reload();
        }
        Files.writeString(file, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.REFUSED);
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.ROTATED);
        assertThat(ring.ring().size()).isEqualTo(1);
    }

    @Test
    void badFile_dropsNothing() throws IOException {
        String earlier = sign();
        Files.writeString(file, newKey());
        rotation.reload();
        Files.writeString(file, "no key");
        assertThat(rotation.reloadAndDrop()).isEqualTo(Outcome.REFUSED);
        assertThat(verifies(earlier)).isTrue();
        assertThat(rotationOf(KeyFiles.NONE).reloadAndDrop()).isEqualTo(Outcome.NO_FILE);
    }

    @Test
    void leakedKeyThatACallerReplaces_stopsVerifyingAtOnce_andItsFileDoesNotBringItBack() throws IOException {
        Path twin = Files.writeString(folder.resolve("twin.key"), Files.readString(file));
        rotation = rotationOf(new KeyFiles(file, List.of(twin)));
        String forged = sign();
        HmacKey next = HmacKey.generate(HmacAlgorithm.HS256);
        rotation.rotateAndDrop(next);
        assertThat(verifies(forged)).isFalse();
        assertThat(rotation.reload()).isEqualTo(Outcome.UNCHANGED);
        assertThat(verifies(forged)).isFalse();
        assertThat(ring.ring().signingKey()).isSameAs(next);
        assertThatIllegalArgumentException().isThrownBy(() -> rotation.rotateAndDrop(next));
        assertThat(verifies(sign())).isTrue();
    }

    @Test
    void fileThatHangs_delaysNoDropOfALeakedKey() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        Path hanging = (Path) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Path.class}, (path, method, given) -> {
                    asked.countDown();
                    answers.await();
                    throw new IllegalArgumentException("The file cannot be read");
                });
        rotation = rotationOf(new KeyFiles(hanging, List.of()));
        String forged = sign();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Outcome> reload = threads.submit(rotation::reload);
            asked.await();
            assertThat(threads.submit(() -> rotation.rotateAndDrop(HmacKey.generate(HmacAlgorithm.HS256))))
                    .succeedsWithin(Duration.ofSeconds(20));
            assertThat(verifies(forged)).isFalse();
            answers.countDown();
            assertThat(reload.get()).isEqualTo(Outcome.REFUSED);
            assertThat(verifies(sign())).isTrue();
        } finally {
            answers.countDown();
            threads.shutdown();
        }
    }

    @Test
    void keyOfAProperty_isReplacedToo() {
        rotation = rotationOf(KeyFiles.NONE);
        String forged = sign();
        rotation.rotateAndDrop(HmacKey.generate(HmacAlgorithm.HS256));
        assertThat(verifies(forged)).isFalse();
        assertThat(verifies(sign())).isTrue();
    }

    @Test
    void verifyingFiles_verifyAndNeverSign_andAreFollowedToo() throws IOException {
        Path other = Files.writeString(folder.resolve("other.key"), newKey());
        String foreign =
                JwtSigner.with(HmacKey.ofFile(other)).withTimeSource(() -> now).sign(CLAIMS);
        assertThat(verifies(foreign)).isFalse();
        rotation = rotationOf(new KeyFiles(file, List.of(other)));
        assertThat(verifies(foreign)).isTrue();
        assertThat(ring.ring().signingKey().isSameKeyAs(HmacKey.ofFile(file))).isTrue();
        Files.writeString(other, newKey());
        assertThat(rotation.reload()).isEqualTo(Outcome.ROTATED);
        assertThat(verifies(foreign)).isFalse();
    }

    @Test
    void verifyingFileThatIsBadAtTheStart_isAStartUpError() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.key"), "c2hvcnQ=");
        assertThatThrownBy(() -> rotationOf(new KeyFiles(file, List.of(bad))))
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageStartingWith("latchkey.jwt.verifying-secret-files[0]: ");
    }

    private SigningKeyRotation rotationOf(KeyFiles files) {
        return new SigningKeyRotation(ring, files, LIFETIME, () -> now);
    }

    private String sign() {
        return JwtSigner.with(ring).withTimeSource(() -> now).sign(CLAIMS);
    }

    private boolean verifies(String token) {
        return JwtVerifier.with(ring)
                .withTimeSource(() -> now)
                .verify(token)
                .verified()
                .isPresent();
    }

    private String newKey() {
        return newKeyOf(random.nextLong());
    }

    static String newKeyOf(long seed) {
        byte[] key = new byte[32];
        new Random(seed).nextBytes(key);
        return Base64.getEncoder().encodeToString(key) + "\n";
    }
}
