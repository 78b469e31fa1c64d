package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPExtendedOperationException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.AuthUnavailableException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The reason for a missing answer, with advice for the operator. */
final class Trouble {

    private static final Map<ResultCode, String> ADVICE = Map.of(
            ResultCode.INVALID_CREDENTIALS,
            "it refuses the service's account: look at bind-dn and bind-password-file",
            ResultCode.NO_SUCH_OBJECT,
            "it has no such entry: look at base-dn and group-base-dn",
            ResultCode.CONFIDENTIALITY_REQUIRED,
            "it wants encryption: use ldaps:// addresses, or ldap:// without encryption=none",
            ResultCode.STRONG_AUTH_REQUIRED,
            "it wants encryption, or an account: use ldaps:// addresses, or set bind-dn",
            ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
            "the service's account may not read there: look at bind-dn, and at the directory's access rules",
            ResultCode.OPERATIONS_ERROR,
            "it may want an account: set bind-dn and bind-password-file",
            ResultCode.REFERRAL,
            "it names another server, which is not asked: look at base-dn, or name that server in urls",
            ResultCode.SIZE_LIMIT_EXCEEDED,
            "it has more entries than it gives: narrow user-filter or group-filter");

    private static final String TLS_ADVICE =
            "its certificate is not trusted, not for this name, or expired: look at trust-file and urls";

    private static final String NO_START_TLS = "it does not do StartTLS: use ldaps:// addresses";

    private Trouble() {}

    /**
     * Converts the failure to an outage. The library's message about a search is left out: the message repeats the
     * searched name, and users type passwords into the name field.
     */
    static AuthUnavailableException outage(String plugin, Throwable failure) {
        if (failure instanceof AuthUnavailableException outage) {
            return outage;
        }
        String message = "The directory of '" + plugin + "' gave no answer: " + of(failure);
        Throwable root = rootOf(failure);
        return root instanceof IOException || root instanceof GeneralSecurityException
                ? AuthUnavailableException.outage(message, root)
                : AuthUnavailableException.outage(message);
    }

    /** The advice in one line. */
    static String of(Throwable failure) {
        if (!(failure instanceof LDAPException answer)) {
            return failure.getClass().getName();
        }
        ResultCode code = answer.getResultCode();
        @Nullable String advice = adviceOf(answer);
        return code.getName() + " (" + code.intValue() + ")" + (advice == null ? "" : ", " + advice);
    }

    private static @Nullable String adviceOf(LDAPException answer) {
        if (rootOf(answer) instanceof GeneralSecurityException || isFromTls(answer)) {
            return TLS_ADVICE;
        }
        return answer instanceof LDAPExtendedOperationException ? NO_START_TLS : ADVICE.get(answer.getResultCode());
    }

    private static boolean isFromTls(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
