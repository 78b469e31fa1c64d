package dev.latchkey.plugins.ldap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * TLS with a check of the server's name in the certificate, within the handshake and before any data is sent (RFC 4513
 * section 3.1.3). The JDK compares names only for sockets with this setting.
 */
final class HostCheckedSockets extends SSLSocketFactory {

    private static final String NAMES_AS_LDAP_HAS_THEM = "LDAPS";

    private final SSLSocketFactory sockets;

    /** Each instance has its own lock, which the library holds during handshakes. */
    HostCheckedSockets(SSLContext tls) {
        this.sockets = tls.getSocketFactory();
    }

    private static Socket checked(Socket socket) {
        SSLSocket encrypted = (SSLSocket) socket;
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(NAMES_AS_LDAP_HAS_THEM);
        encrypted.setSSLParameters(parameters);
        return encrypted;
    }

    @Override
    public Socket createSocket() throws IOException {
        return checked(sockets.createSocket());
    }

    @Override
    public Socket createSocket(Socket plain, String host, int port, boolean autoClose) throws IOException {
        return checked(sockets.createSocket(plain, host, port, autoClose));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return checked(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return checked(sockets.createSocket(host, port, from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return checked(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return checked(sockets.createSocket(host, port, from, fromPort));
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }
}
