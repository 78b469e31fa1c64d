package dev.latchkey.auth;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The credentials prove nobody. The reason is for logs and metrics; the caller gets the same answer for every reason.
 *
 * @param reason the stable code
 * @param detail a finer code of the plugin's own, such as {@code bad_mac}; lower-case letters, digits and underscores, at most 64, so that it can be a
 *     metric's tag and can carry nothing that a caller sent; empty where there is none
 */
public record Rejected(RejectionReason reason, String detail) implements Verdict, StepResult {

    private static final Pattern DETAIL = Pattern.compile("[a-z0-9_]{0,64}");

    /**
     * @param reason the stable code
     * @param detail a finer code of the plugin's own, such as {@code bad_mac}; lower-case letters, digits and underscores, at most 64, so that it can
     *     be a metric's tag and can carry nothing that a caller sent; empty where there is none
     * @throws IllegalArgumentException if the detail is no such code
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
     * @param reason what the caller may be told
     * @return a rejection for this reason
     */
    public static Rejected because(RejectionReason reason) {
        return new Rejected(reason, "");
    }

    /**
     * The same for the logs and metrics of whoever looks into it; callers are not shown it.
     *
     * @param detail lower-case letters, digits and underscores, in place of the one before
     * @return another rejection; this one stays as it is
     * @throws IllegalArgumentException if the detail is no such code
     */
    public Rejected withDetail(String detail) {
        return new Rejected(reason, detail);
    }
}
