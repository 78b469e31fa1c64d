package dev.latchkey.plugins.codes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of an account. Secrets are encrypted and recovery codes are digests, so the store reads no secret.
 *
 * @param revision random and new with each write; a writer names the revision of its read
 * @param secret the encrypted secret of the codes; null before the first confirmed enrolment, without codes at the
 *     login
 * @param lastStep the step of the last accepted code; never decreases
 * @param recovery digests of the unused recovery codes
 * @param devices the remembered devices: printable ASCII without commas, 200 characters each, at most
 *     {@value RememberedDevices#MOST}
 * @param pending the encrypted secret of an unconfirmed enrolment; null without such an enrolment
 * @param pendingSince the start of the unconfirmed enrolment, in seconds since 1970
 * @param pendingFailures the number of wrong codes for the unconfirmed enrolment
 */
public record StoredCodes(
        String revision,
        @Nullable String secret,
        long lastStep,
        List<String> recovery,
        List<String> devices,
        @Nullable String pending,
        long pendingSince,
        int pendingFailures) {

    /**
     * A row, read or to be written.
     *
     * @param revision random and new with each write
     * @param secret the encrypted secret of the codes; null before the first confirmed enrolment
     * @param lastStep the step of the last accepted code
     * @param recovery digests of the unused recovery codes
     * @param devices the remembered devices
     * @param pending the encrypted secret of an unconfirmed enrolment
     * @param pendingSince the start of the unconfirmed enrolment, in seconds since 1970
     * @param pendingFailures the number of wrong codes for the unconfirmed enrolment
     */
    public StoredCodes {
        recovery = List.copyOf(recovery);
        devices = List.copyOf(devices);
    }

    /** The empty state, without a revision. */
    static StoredCodes none() {
        return new StoredCodes("", null, -1, List.of(), List.of(), null, 0, 0);
    }

    StoredCodes withRevision(String newer) {
        return new StoredCodes(newer, secret, lastStep, recovery, devices, pending, pendingSince, pendingFailures);
    }

    StoredCodes withSecret(String sealed) {
        return new StoredCodes(revision, sealed, lastStep, recovery, devices, pending, pendingSince, pendingFailures);
    }

    StoredCodes withLastStep(long step) {
        return new StoredCodes(revision, secret, step, recovery, devices, pending, pendingSince, pendingFailures);
    }

    StoredCodes withRecovery(List<String> digests) {
        return new StoredCodes(revision, secret, lastStep, digests, devices, pending, pendingSince, pendingFailures);
    }

    StoredCodes withDevices(List<String> remembered) {
        return new StoredCodes(
                revision, secret, lastStep, recovery, remembered, pending, pendingSince, pendingFailures);
    }

    StoredCodes withPending(String sealed, long since) {
        return new StoredCodes(revision, secret, lastStep, recovery, devices, sealed, since, 0);
    }

    StoredCodes withPendingFailures(int failures) {
        return new StoredCodes(revision, secret, lastStep, recovery, devices, pending, pendingSince, failures);
    }

    StoredCodes withoutPending() {
        return new StoredCodes(revision, secret, lastStep, recovery, devices, null, 0, 0);
    }

    /** Prints the presence of values, not the values. */
    @Override
    public String toString() {
        return "StoredCodes[enrolled=" + (secret != null) + ", pending=" + (pending != null) + ", recovery="
                + recovery.size() + ", devices=" + devices.size() + "]";
    }
}
