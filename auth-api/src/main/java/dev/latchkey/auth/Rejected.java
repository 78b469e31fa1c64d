package dev.latchkey.auth;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The credentials prove no subject. The reason is for logs and metrics; the caller gets the same answer for every
 * reason.
 *
 * @param reason the stable code
 * @param detail a finer code of the plugin, such as {@code bad_mac}; empty for no detail. At most 64 lower-case
 *     letters, digits and underscores, so the detail may be a metric's tag and cannot contain text from a caller
 */
public record Rejected(RejectionReason reason, String detail) implements Verdict, StepResult {

    private static final Pattern DETAIL = Pattern.compile("[a-z0-9_]{0,64}");

    /**
     * Checks the form of the detail.
     *
     * @param reason the stable code
     * @param detail at most 64 lower-case letters, digits and underscores; empty for no detail
     * @throws IllegalArgumentException if the detail has another form
     */
    public Rejected {
        Objects.requireNonNull(reason, "reason");
        if (!DETAIL.matcher(detail).matches()) {
            throw new IllegalArgumentException("A rejection's detail is a code of at most 64 of [a-z0-9_]");
        }
    }

    /**
     * A rejection without a detail.
     *
     * @param reason the stable code
     * @return a rejection for this reason
     */
    public static Rejected because(RejectionReason reason) {
        return new Rejected(reason, "");
    }

    /**
     * A copy with a detail for logs and metrics. Callers never see the detail.
     *
     * @param detail at most 64 lower-case letters, digits and underscores; replaces the present detail
     * @return another rejection
     * @throws IllegalArgumentException if the detail has another form
     */
    public Rejected withDetail(String detail) {
        return new Rejected(reason, detail);
    }
}
