package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.Entry;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an account's entry allows a login. With a password, the directory checks most of this. A session refresh has
 * no password and depends only on this check. An attribute that the service's account may not read counts as absent.
 *
 * <p>A lock after wrong guesses ({@code pwdAccountLockedTime} with a time) is checked only with a password. The
 * attribute outlives the lock, and a session refresh is not a guess.
 */
final class AccountState {

    static final Rejected MUST_CHANGE =
            Rejected.because(RejectionReason.CREDENTIALS_EXPIRED).withDetail("must_change");

    /** Active Directory, and the same flags computed at this moment: only there, locked and expired are right. */
    private static final String WINDOWS_FLAGS = "userAccountControl";

    private static final String WINDOWS_FLAGS_NOW = "msDS-User-Account-Control-Computed";
    private static final String WINDOWS_END = "accountExpires";
    private static final String WINDOWS_PASSWORD = "pwdLastSet";
    /** draft-behera-ldap-password-policy section 5.3. */
    private static final String LOCKED_SINCE = "pwdAccountLockedTime";

    private static final String MUST_CHANGE_FLAG = "pwdReset";
    private static final String POLICY_END = "pwdEndTime";
    /** 389 Directory Server and FreeIPA; eDirectory. */
    private static final List<String> SWITCHED_OFF = List.of("nsAccountLock", "loginDisabled");
    /** RFC 2307: days since 1970. */
    private static final String DAY_OF_END = "shadowExpire";

    static final List<String> ATTRIBUTES = List.of(
            WINDOWS_FLAGS,
            WINDOWS_FLAGS_NOW,
            WINDOWS_END,
            WINDOWS_PASSWORD,
            LOCKED_SINCE,
            MUST_CHANGE_FLAG,
            POLICY_END,
            SWITCHED_OFF.get(0),
            SWITCHED_OFF.get(1),
            DAY_OF_END);

    private static final String FOR_EVER = "000001010000";
    private static final long DISABLED = 0x2;
    private static final long LOCKED = 0x10;
    private static final long PASSWORD_EXPIRED = 0x80_0000;

    /** The offset between Windows' epoch (1601) and the Unix epoch (1970); Windows counts units of 100 nanoseconds. */
    private static final long SECONDS_FROM_1601 = 11_644_473_600L;

    private static final long UNITS_A_SECOND = 10_000_000L;
    private static final long SECONDS_A_DAY = 86_400L;

    private AccountState() {}

    /** The reason to reject the account; empty if the entry has no objection. */
    static Optional<Rejected> of(Entry account, Instant now) {
        long flags = number(account, WINDOWS_FLAGS) | number(account, WINDOWS_FLAGS_NOW);
        if ((flags & DISABLED) != 0 || SWITCHED_OFF.stream().anyMatch(flag -> isTrue(account, flag))) {
            return Optional.of(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
        }
        if ((number(account, WINDOWS_FLAGS_NOW) & LOCKED) != 0 || isLockedForEver(account)) {
            return Optional.of(Rejected.because(RejectionReason.ACCOUNT_LOCKED));
        }
        if (isOver(account, now)) {
            return Optional.of(Rejected.because(RejectionReason.ACCOUNT_EXPIRED));
        }
        if ((number(account, WINDOWS_FLAGS_NOW) & PASSWORD_EXPIRED) != 0) {
            return Optional.of(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED));
        }
        return isTrue(account, MUST_CHANGE_FLAG) || "0".equals(account.getAttributeValue(WINDOWS_PASSWORD))
                ? Optional.of(MUST_CHANGE)
                : Optional.empty();
    }

    private static boolean isLockedForEver(Entry account) {
        String since = account.getAttributeValue(LOCKED_SINCE);
        return since != null && since.startsWith(FOR_EVER);
    }

    /** "On or after", as for all expiry times here. */
    private static boolean isOver(Entry account, Instant now) {
        long windows = number(account, WINDOWS_END);
        boolean isBounded = windows > 0 && windows != Long.MAX_VALUE;
        long day = number(account, DAY_OF_END);
        return (isBounded && isReached(windows / UNITS_A_SECOND - SECONDS_FROM_1601, now))
                || (day > 0 && day < Integer.MAX_VALUE && isReached(day * SECONDS_A_DAY, now))
                || isReached(account, POLICY_END, now);
    }

    private static boolean isReached(long epochSecond, Instant now) {
        return now.getEpochSecond() >= epochSecond;
    }

    private static boolean isReached(Entry account, String attribute, Instant now) {
        Date end = account.getAttributeValueAsDate(attribute);
        return end != null && !now.isBefore(end.toInstant());
    }

    private static boolean isTrue(Entry account, String attribute) {
        String value = account.getAttributeValue(attribute);
        return value != null && value.toLowerCase(Locale.ROOT).equals("true");
    }

    /** 0 if the attribute is absent. */
    private static long number(Entry account, String attribute) {
        @Nullable Long value = account.getAttributeValueAsLong(attribute);
        return value == null ? 0 : value;
    }
}
