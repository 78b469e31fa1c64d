package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.util.ssl.SSLSocketVerifier;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/**
 * Checks the dates of a directly trusted certificate. The JDK checks dates only for certificates signed by another one.
 */
final class CertificateInTime extends SSLSocketVerifier {

    @Override
    public void verifySSLSocket(String host, int port, SSLSocket socket) throws LDAPException {
        try {
            if (socket.getSession().getPeerCertificates()[0] instanceof X509Certificate shown) {
                shown.checkValidity();
            }
        } catch (CertificateException | SSLPeerUnverifiedException e) {
            throw new LDAPException(ResultCode.CONNECT_ERROR, "The certificate of " + host + " is not valid now", e);
        }
    }
}
