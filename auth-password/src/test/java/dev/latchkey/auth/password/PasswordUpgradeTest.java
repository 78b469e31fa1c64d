package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Row P6 of the catalogue. */
class PasswordUpgradeTest {

    private static final String PASSWORD = "correct horse";
    private static final String OLD = "{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF";

    private final PasswordEncoders encoders = Cheap.encoders();
    private final ManualPace pace = new ManualPace();
    private final Map<String, String> table = new ConcurrentHashMap<>();
    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    private PasswordUpgrade upgrade(StoredPasswords store) {
        return PasswordUpgrade.of(encoders, store, pace, (InstantSource) () -> now);
    }

    private boolean inTable(String account, String expected, String replacement) {
        return table.replace(account, expected, replacement);
    }

    @Test
    void oldHash_isReplacedAfterTheAnswer_once() {
        table.put("ann", OLD);
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("ann", PASSWORD, OLD);
        assertThat(table).containsEntry("ann", OLD);
        assertThat(pace.tasks).hasSize(1);
        pace.runAll();

        assertThat(encoders.matches(PASSWORD, table.get("ann"))).isTrue();
        assertThat(encoders.upgradeEncoding(table.get("ann"))).isFalse();
        assertThat(upgrade.replaced()).isEqualTo(1);
        assertThat(upgrade.failed()).isZero();
    }

    @Test
    void currentHash_isLeftAlone() {
        upgrade(this::inTable).afterSuccess("ann", PASSWORD, encoders.encode(PASSWORD));

        assertThat(pace.tasks).isEmpty();
    }

    @Test
    void passwordChangedInTheMeantime_isNotOverwritten() {
        table.put("ann", OLD);
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        table.put("ann", "{SSHA}another");
        pace.runAll();

        assertThat(table).containsEntry("ann", "{SSHA}another");
        assertThat(upgrade.replaced()).isZero();
    }

    @Test
    void queueIsBounded_andTheNextLoginTriesAgain() {
        PasswordUpgrade upgrade = upgrade((account, expected, replacement) -> true);
        for (int i = 0; i <= PasswordUpgrade.MAX_PENDING; i++) {
            upgrade.afterSuccess("user" + i, PASSWORD, OLD);
        }
        assertThat(upgrade.dropped()).isEqualTo(1);
        upgrade.afterSuccess("user0", PASSWORD, OLD);
        assertThat(upgrade.dropped()).as("user0 is queued already").isEqualTo(1);
        pace.runAll();
        upgrade.afterSuccess("user" + PasswordUpgrade.MAX_PENDING, PASSWORD, OLD);
        pace.runAll();

        assertThat(upgrade.replaced()).isEqualTo(PasswordUpgrade.MAX_PENDING + 1);
    }

    @Test
    void theThreadRests_asLongAsItWorked() {
        PasswordUpgrade upgrade = upgrade((account, expected, replacement) -> {
            now = now.plusMillis(80);
            return true;
        });

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        pace.runAll();

        assertThat(pace.rests)
                .containsExactly(PasswordUpgrade.FIRST_DELAY, Duration.ofMillis(80), Duration.ofMillis(80));
    }

    @Test
    void passwordTooLongForTheNewAlgorithm_keepsItsOldHash() {
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", "x".repeat(73), OLD);

        assertThat(pace.tasks).isEmpty();
        assertThat(upgrade.failed()).isZero();
    }

    @Test
    void closed_takesNothingMore_andDoesNothingMore() {
        table.put("ann", OLD);
        PasswordUpgrade upgrade = upgrade(this::inTable);

        upgrade.afterSuccess("ann", PASSWORD, OLD);
        upgrade.close();
        upgrade.afterSuccess("bob", PASSWORD, OLD);
        pace.runAll();

        assertThat(pace.closed).isTrue();
        assertThat(table).containsEntry("ann", OLD);
    }

    @Test
    void onItsOwnThread_itReplacesToo() throws Exception {
        table.put("ann", OLD);
        CountDownLatch done = new CountDownLatch(1);
        try (PasswordUpgrade upgrade = PasswordUpgrade.of(encoders, (account, expected, replacement) -> {
            boolean replaced = inTable(account, expected, replacement);
            done.countDown();
            return replaced;
        })) {
            upgrade.afterSuccess("ann", PASSWORD, OLD);
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(encoders.matches(PASSWORD, table.get("ann"))).isTrue();
    }
}
