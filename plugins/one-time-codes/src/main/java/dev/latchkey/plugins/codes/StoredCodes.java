package dev.latchkey.plugins.codes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of one account. Secrets are encrypted and recovery codes are digests by then, so a store reads none of it.
 *
 * @param revision random, and another one with each write: who writes names the one that he has read
 * @param secret what codes are made of, encrypted; null before the first enrolment is confirmed, which asks nobody for codes
 * @param lastStep the step of the last code of this secret that was accepted; it never shrinks
 * @param recovery digests of the recovery codes that are left
 * @param devices the devices that are remembered: printable ASCII without commas, 200 characters each and {@value RememberedDevices#MOST} at most
 * @param pending the secret of an enrolment that is not confirmed yet, encrypted; null where there is none
 * @param pendingSince when that began, in seconds since 1970
 * @param pendingFailures how many wrong codes were shown for it
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
     * What a store has read, or is to keep.
     *
     * @param revision random, and another one with each write: who writes names the one that he has read
     * @param secret what codes are made of, encrypted; null before the first enrolment is confirmed, which asks nobody for codes
     * @param lastStep the step of the last code of this secret that was accepted; it never shrinks
     * @param recovery digests of the recovery codes that are left
     * @param devices the devices that are remembered: printable ASCII without commas, 200 characters each and {@value RememberedDevices#MOST} at most
     * @param pending the secret of an enrolment that is not confirmed yet, encrypted; null where there is none
     * @param pendingSince when that began, in seconds since 1970
     * @param pendingFailures how many wrong codes were shown for it
     */
    public StoredCodes {
        recovery = List.copyOf(recovery);
        devices = List.copyOf(devices);
    }

    /** Nothing yet, and no revision. */
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

    /** Whether there is something, not what. */
    @Override
    public String toString() {
        return "StoredCodes[enrolled=" + (secret != null) + ", pending=" + (pending != null) + ", recovery="
                + recovery.size() + ", devices=" + devices.size() + "]";
    }
}
