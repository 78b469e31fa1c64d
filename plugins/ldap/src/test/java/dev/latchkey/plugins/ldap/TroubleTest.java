package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPExtendedOperationException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.AuthUnavailableException;
import java.net.ConnectException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What an outage says to an administrator. */
class TroubleTest {

    private static AuthUnavailableException outage(Throwable failure) {
        return Trouble.outage("corp", failure);
    }

    private static LDAPException failed(Throwable cause) {
        return new LDAPException(ResultCode.CONNECT_ERROR, "as the library says", cause);
    }

    @Test
    void outageOfTheNetwork_keepsItsCause_andHasNoAdvice() {
        ConnectException refused = new ConnectException("refused");
        assertThat(outage(failed(refused)))
                .hasMessage("The directory of 'corp' gave no answer: connect error (91)")
                .hasCause(refused);
    }

    @Test
    void badCertificate_isNamed_withItsCause() {
        for (Exception cause :
                new Exception[] {new CertificateExpiredException("over"), new SSLHandshakeException("no")}) {
            assertThat(outage(failed(cause)))
                    .hasMessageContaining("look at trust-file and urls")
                    .hasCause(cause);
        }
    }

    @Test
    void handshakeThatTheNetworkEnds_isAboutTheCertificateToo() {
        SSLHandshakeException handshake = new SSLHandshakeException("no");
        handshake.initCause(new java.io.EOFException("closed"));
        assertThat(outage(failed(handshake))).hasMessageContaining("look at trust-file and urls");
    }

    @Test
    void refusedStartTls_isNamed() {
        assertThat(outage(new LDAPExtendedOperationException(
                        new ExtendedResult(1, ResultCode.PROTOCOL_ERROR, "no", null, null, null, null, null))))
                .hasMessageContaining("use ldaps:// addresses")
                .hasNoCause();
    }

    /** The library's message about a search repeats the name, which may be a password that was typed into the wrong field. */
    @Test
    void otherFailures_areNamedByTheirCodeOrClass_withoutTheirMessage() {
        assertThat(outage(new LDAPException(ResultCode.BUSY, "uid=my-password")))
                .hasMessage("The directory of 'corp' gave no answer: busy (51)")
                .hasNoCause();
        assertThat(outage(new IllegalStateException("my-password")))
                .hasMessage("The directory of 'corp' gave no answer: java.lang.IllegalStateException")
                .hasNoCause();
    }

    @Test
    void outage_staysTheSame() {
        AuthUnavailableException outage = AuthUnavailableException.outage("down");
        assertThat(outage(outage)).isSameAs(outage);
    }
}
