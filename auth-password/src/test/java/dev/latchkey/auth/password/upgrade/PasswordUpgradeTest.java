package dev.latchkey.auth.password.upgrade;

import static dev.latchkey.auth.password.upgrade.UpgradeScene.OLD;
import static dev.latchkey.auth.password.upgrade.UpgradeScene.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/** An old hash is replaced once, after the answer, and never over a newer one. */
class PasswordUpgradeTest {

    private final UpgradeScene scene = new UpgradeScene();

    @Test
    void oldHash_isReplacedAfterTheAnswer_once() {
        scene.table.put("ann", OLD);
        PasswordUpgrade upgrade = scene.upgrade(scene::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        assertThat(scene.table).containsEntry("ann", OLD);
        assertThat(scene.pace.tasks).hasSize(1);
        scene.pace.runAll();

        assertThat(scene.encoders.matches(PASSWORD, scene.table.get("ann"))).isTrue();
        assertThat(scene.encoders.upgradeEncoding(scene.table.get("ann"))).isFalse();
        assertThat(upgrade.replaced()).isEqualTo(1);
        assertThat(upgrade.failed()).isZero();
    }

    @Test
    void currentHash_isLeftAlone() {
        scene.upgrade(scene::inTable).afterSuccess("ann", PASSWORD, scene.encoders.encode(PASSWORD));

        assertThat(scene.pace.tasks).isEmpty();
    }

    @Test
    void passwordChangedInTheMeantime_isNotOverwritten() {
        scene.table.put("ann", OLD);
        PasswordUpgrade upgrade = scene.upgrade(scene::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        scene.table.put("ann", "{SSHA}another");
        scene.pace.runAll();

        assertThat(scene.table).containsEntry("ann", "{SSHA}another");
        assertThat(upgrade.replaced()).isZero();
    }

    @Test
    void queueIsBounded_andTheNextLoginTriesAgain() {
        PasswordUpgrade upgrade = scene.upgrade((account, expected, replacement) -> true);
        for (int i = 0; i <= PasswordUpgrade.MAX_PENDING; i++) {
            upgrade.afterSuccess("user" + i, PASSWORD, OLD);
        }
        assertThat(upgrade.dropped()).isEqualTo(1);
        upgrade.afterSuccess("user0", PASSWORD, OLD);
        assertThat(upgrade.dropped()).as("user0 is queued already").isEqualTo(1);
        scene.pace.runAll();
        upgrade.afterSuccess("user" + PasswordUpgrade.MAX_PENDING, PASSWORD, OLD);
        scene.pace.runAll();

        assertThat(upgrade.replaced()).isEqualTo(PasswordUpgrade.MAX_PENDING + 1);
    }

    @Test
    void theThreadRests_asLongAsItWorked() {
        PasswordUpgrade upgrade = scene.upgrade((account, expected, replacement) -> {
            scene.nanos += Duration.ofMillis(80).toNanos();
            return true;
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        scene.pace.runAll();

        assertThat(scene.pace.rests)
                .containsExactly(PasswordUpgrade.FIRST_DELAY, Duration.ofMillis(80), Duration.ofMillis(80));
    }

    @Test
    void passwordTooLongForTheNewAlgorithm_keepsItsOldHash() {
        PasswordUpgrade upgrade = scene.upgrade(scene::inTable);

        upgrade.afterSuccess("ann", "x".repeat(73), OLD);

        assertThat(scene.pace.tasks).isEmpty();
        assertThat(upgrade.failed()).isZero();
    }

    @Test
    void closed_takesNothingMore_andDoesNothingMore() {
        scene.table.put("ann", OLD);
        PasswordUpgrade upgrade = scene.upgrade(scene::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.close();
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        scene.pace.runAll();

        assertThat(scene.pace.closed).isTrue();
        assertThat(scene.table).containsEntry("ann", OLD);
    }

    @Test
    void encoderOfSpring_isHashedWithToo() {
        BCryptPasswordEncoder weaker = new BCryptPasswordEncoder(4);
        BCryptPasswordEncoder stronger = new BCryptPasswordEncoder(5);
        String old = weaker.encode(PASSWORD);
        scene.table.put("ann", old);
        PasswordUpgrade upgrade = PasswordUpgrade.of(stronger, scene::inTable, scene.pace, System::nanoTime);

        upgrade.afterSuccess("ann", PASSWORD, old);
        scene.pace.runAll();

        assertThat(stronger.upgradeEncoding(scene.table.get("ann"))).isFalse();
        assertThat(stronger.matches(PASSWORD, scene.table.get("ann"))).isTrue();
    }

    @Test
    void anotherEncoderOfTheStore_hashesThePasswordsThatItMatched() {
        PasswordEncoder delegating = PasswordEncoderFactories.createDelegatingPasswordEncoder();
        scene.table.put("ann", "{noop}" + PASSWORD);
        PasswordUpgrade upgrade = scene.upgrade(scene::inTable);

        upgrade.afterSuccess(delegating, "ann", PASSWORD, "{noop}" + PASSWORD);
        scene.pace.runAll();

        assertThat(scene.table.get("ann")).startsWith("{bcrypt}$2a$10$");
        assertThat(upgrade.replaced()).isEqualTo(1);
    }

    @Test
    void passwordThatAnEncoderOfSpringRefuses_keepsItsOldHash() {
        scene.table.put("ann", "$2a$04$old");
        PasswordUpgrade upgrade = PasswordUpgrade.of(new Refusing(), scene::inTable, scene.pace, System::nanoTime);

        upgrade.afterSuccess("ann", PASSWORD, "$2a$04$old");
        scene.pace.runAll();

        assertThat(scene.table).containsEntry("ann", "$2a$04$old");
        assertThat(upgrade.failed()).isEqualTo(1);
    }

    @Test
    void onItsOwnThread_itReplacesToo() throws Exception {
        scene.table.put("ann", OLD);
        CountDownLatch done = new CountDownLatch(1);
        try (PasswordUpgrade upgrade = PasswordUpgrade.of(scene.encoders, (account, expected, replacement) -> {
            boolean replaced = scene.inTable(account, expected, replacement);
            done.countDown();
            return replaced;
        })) {
            upgrade.afterSuccess("ann", PASSWORD, OLD);
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(scene.encoders.matches(PASSWORD, scene.table.get("ann"))).isTrue();
    }

    /** As bcrypt does with passwords of more than 72 bytes. */
    private static final class Refusing implements PasswordEncoder {

        @Override
        public String encode(CharSequence raw) {
            throw new IllegalArgumentException("password cannot be more than 72 bytes");
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            return true;
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return true;
        }
    }
}
