package dev.latchkey.plugins.codes;

import dev.latchkey.plugins.codes.SecretKeys.Column;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The codes of an account at the time of a read, with the rules for the next stored state. Decides, and writes nothing.
 *
 * @param now the time of the read
 */
record AccountCodes(String account, StoredCodes stored, SecretKeys keys, Instant now) {

    static final int PENDING_MINUTES = 15;
    static final int MOST_FAILURES = 5;

    private static final Duration PENDING = Duration.ofMinutes(PENDING_MINUTES);

    boolean isEnrolled() {
        return stored.secret() != null;
    }

    /** Also false if the clock was set back to {@value #PENDING_MINUTES} minutes or more before the begin. */
    boolean isPending() {
        Duration age = Duration.ofSeconds(now.getEpochSecond() - stored.pendingSince());
        return stored.pending() != null && age.abs().compareTo(PENDING) < 0;
    }

    boolean isSealedWithTheCurrentKey() {
        return keys.isCurrent(Objects.requireNonNull(stored.secret()));
    }

    StoredCodes begunWith(PendingSecret secret) {
        return stored.withPending(keys.seal(account, Column.PENDING, secret.bytes()), now.getEpochSecond());
    }

    /** The secret of the unconfirmed enrolment. */
    PendingSecret pending() {
        return PendingSecret.of(keys.open(account, Column.PENDING, Objects.requireNonNull(stored.pending())));
    }

    /** The next stored state after a right code has confirmed the enrolment; empty for a wrong code. */
    Optional<StoredCodes> confirmedBy(TypedCode shown, List<TypedCode> recovery) {
        CodeSecret secret = pending().secret();
        OptionalLong step = secret.stepOf(shown.text(), CodeSecret.stepAt(now));
        if (step.isEmpty()) {
            return Optional.empty();
        }
        List<String> digests = recovery.stream()
                .map(each -> secret.recoveryDigest(each.text()))
                .toList();
        return Optional.of(stored.withSecret(keys.seal(account, Column.IN_USE, secret.bytes()))
                .withLastStep(step.getAsLong())
                .withRecovery(digests)
                .withDevices(List.of())
                .withoutPending());
    }

    StoredCodes withFailure() {
        int failures = stored.pendingFailures() + 1;
        return failures < MOST_FAILURES ? stored.withPendingFailures(failures) : stored.withoutPending();
    }

    /** The next stored state after the use of this code; empty for a wrong or used code. */
    Optional<StoredCodes> using(TypedCode shown) {
        CodeSecret secret = secret();
        return shown.isRecovery() ? usingRecovery(secret, shown) : usingStep(secret, shown);
    }

    private Optional<StoredCodes> usingRecovery(CodeSecret secret, TypedCode shown) {
        byte[] digest = secret.recoveryDigest(shown.text()).getBytes(StandardCharsets.UTF_8);
        List<String> left = new ArrayList<>(stored.recovery());
        return left.removeIf(each -> MessageDigest.isEqual(each.getBytes(StandardCharsets.UTF_8), digest))
                ? Optional.of(resealed(secret).withRecovery(left))
                : Optional.empty();
    }

    private Optional<StoredCodes> usingStep(CodeSecret secret, TypedCode shown) {
        OptionalLong step = secret.stepOf(shown.text(), CodeSecret.stepAt(now));
        return step.isPresent() && step.getAsLong() > stored.lastStep()
                ? Optional.of(resealed(secret).withLastStep(step.getAsLong()))
                : Optional.empty();
    }

    /** The present state, encrypted with the current key. */
    StoredCodes resealed() {
        return resealed(secret());
    }

    private StoredCodes resealed(CodeSecret secret) {
        return isSealedWithTheCurrentKey()
                ? stored
                : stored.withSecret(keys.seal(account, Column.IN_USE, secret.bytes()));
    }

    CodeSecret secret() {
        return CodeSecret.of(keys.open(account, Column.IN_USE, Objects.requireNonNull(stored.secret())));
    }
}
