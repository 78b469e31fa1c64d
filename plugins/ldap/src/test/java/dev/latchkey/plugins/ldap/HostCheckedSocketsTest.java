package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Another certificate of a trusted authority must not be enough, whichever method the library calls. */
class HostCheckedSocketsTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void everySocket_comparesTheNameOfTheServerWithItsCertificate() throws Exception {
        SSLContext tls = SSLContext.getDefault();
        HostCheckedSockets sockets = new HostCheckedSockets(tls);
        try (ServerSocket server = new ServerSocket(0, 10, HERE)) {
            int port = server.getLocalPort();
            List<Socket> all = List.of(
                    sockets.createSocket(),
                    sockets.createSocket(new Socket(HERE, port), "localhost", port, true),
                    sockets.createSocket("127.0.0.1", port),
                    sockets.createSocket("127.0.0.1", port, HERE, 0),
                    sockets.createSocket(HERE, port),
                    sockets.createSocket(HERE, port, HERE, 0));
            for (Socket socket : all) {
                try (socket) {
                    assertThat(((SSLSocket) socket).getSSLParameters().getEndpointIdentificationAlgorithm())
                            .isEqualTo("LDAPS");
                }
            }
        }
    }

    @Test
    void ciphers_areThoseOfTheContext() throws Exception {
        SSLContext tls = SSLContext.getDefault();
        HostCheckedSockets sockets = new HostCheckedSockets(tls);
        assertThat(sockets.getDefaultCipherSuites())
                .isNotEmpty()
                .isEqualTo(tls.getSocketFactory().getDefaultCipherSuites());
        assertThat(sockets.getSupportedCipherSuites())
                .isNotEmpty()
                .isEqualTo(tls.getSocketFactory().getSupportedCipherSuites());
    }
}
