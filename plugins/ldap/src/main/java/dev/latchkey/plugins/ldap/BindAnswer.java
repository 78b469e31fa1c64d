package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.LDAPBindException;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory's answer to a name and a password. Only {@code success} means a right password, and only an answer
 * about the account is a rejection. Every other answer is an outage.
 *
 * <p>The reason for a rejection is in the control of draft-behera-ldap-password-policy-10 section 6.2 (OpenLDAP and
 * others). Active Directory writes the reason into the diagnostic message: {@code data 52e}, a Windows error code in
 * hexadecimal.
 */
final class BindAnswer {

    private static final Pattern WINDOWS_CODE = Pattern.compile("AcceptSecurityContext error, data ([0-9a-f]{1,8}),");

    private static final Map<String, Rejected> OF_WINDOWS = Map.of(
            "525", Rejected.because(RejectionReason.UNKNOWN_ACCOUNT),
            "530", Rejected.because(RejectionReason.ACCOUNT_LOCKED).withDetail("not_at_this_time"),
            "531", Rejected.because(RejectionReason.ACCOUNT_LOCKED).withDetail("not_from_here"),
            "532", Rejected.because(RejectionReason.CREDENTIALS_EXPIRED),
            "533", Rejected.because(RejectionReason.ACCOUNT_DISABLED),
            "701", Rejected.because(RejectionReason.ACCOUNT_EXPIRED),
            "773", AccountState.MUST_CHANGE,
            "775", Rejected.because(RejectionReason.ACCOUNT_LOCKED));

    /** The message of 389 Directory Server and related servers for a disabled account. */
    private static final String INACTIVATED = "account inactivated";

    private BindAnswer() {}

    /**
     * Tries the password.
     *
     * @return empty if the password is right
     * @throws LDAPException if the directory gives neither answer
     */
    static Optional<Rejected> to(LDAPConnection connection, String dn, Secret password) throws LDAPException {
        BindPassword shown = BindPassword.of(password);
        try {
            BindResult result = connection.bind(
                    new SimpleBindRequest(dn, shown, new DraftBeheraLDAPPasswordPolicy10RequestControl()));
            return errorOf(result).map(BindAnswer::reasonOf);
        } catch (LDAPBindException e) {
            return Optional.of(refusalOf(e));
        } finally {
            shown.forget();
        }
    }

    private static Rejected refusalOf(LDAPBindException refused) throws LDAPException {
        ResultCode code = refused.getResultCode();
        if (code.equals(ResultCode.INVALID_CREDENTIALS)) {
            return errorOf(refused.getBindResult())
                    .map(BindAnswer::reasonOf)
                    .orElseGet(() -> ofWindows(refused.getDiagnosticMessage()));
        }
        if (code.equals(ResultCode.NO_SUCH_OBJECT)) {
            return Rejected.because(RejectionReason.UNKNOWN_ACCOUNT);
        }
        if (code.equals(ResultCode.INAPPROPRIATE_AUTHENTICATION) || code.equals(ResultCode.INVALID_DN_SYNTAX)) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        if (code.equals(ResultCode.CONSTRAINT_VIOLATION)) {
            return Rejected.because(RejectionReason.ACCOUNT_LOCKED).withDetail("too_many_failures");
        }
        if (code.equals(ResultCode.UNWILLING_TO_PERFORM) && isInactivated(refused.getDiagnosticMessage())) {
            return Rejected.because(RejectionReason.ACCOUNT_DISABLED);
        }
        throw refused;
    }

    /** The error in the control; an unreadable control counts as absent. */
    private static Optional<DraftBeheraLDAPPasswordPolicy10ErrorType> errorOf(LDAPResult result) {
        try {
            DraftBeheraLDAPPasswordPolicy10ResponseControl control =
                    result instanceof BindResult bind ? DraftBeheraLDAPPasswordPolicy10ResponseControl.get(bind) : null;
            return control == null ? Optional.empty() : Optional.ofNullable(control.getErrorType());
        } catch (LDAPException e) {
            return Optional.empty();
        }
    }

    private static Rejected reasonOf(DraftBeheraLDAPPasswordPolicy10ErrorType error) {
        return switch (error) {
            case ACCOUNT_LOCKED -> Rejected.because(RejectionReason.ACCOUNT_LOCKED);
            case PASSWORD_EXPIRED -> Rejected.because(RejectionReason.CREDENTIALS_EXPIRED);
            case CHANGE_AFTER_RESET -> AccountState.MUST_CHANGE;
            default -> Rejected.because(RejectionReason.BAD_CREDENTIALS);
        };
    }

    private static Rejected ofWindows(@Nullable String message) {
        Rejected wrong = Rejected.because(RejectionReason.BAD_CREDENTIALS);
        if (message == null) {
            return wrong;
        }
        Matcher code = WINDOWS_CODE.matcher(message);
        return code.find() ? OF_WINDOWS.getOrDefault(code.group(1), wrong) : wrong;
    }

    private static boolean isInactivated(@Nullable String message) {
        return message != null && message.toLowerCase(Locale.ROOT).contains(INACTIVATED);
    }
}
