package dev.latchkey.auth.client.wire;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Scheme, host and port of an HTTP address (RFC 6454 section 4). Two addresses have the same origin if all three are
 * equal. No name is looked up, so two names of one machine are two origins.
 */
public record Origin(String scheme, String host, int port) {

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /**
     * The origin of an address; empty without a host, or for a scheme other than HTTP and HTTPS.
     *
     * @param address of any form
     * @return scheme, host and port, normalized
     */
    public static Optional<Origin> of(URI address) {
        if (address.getScheme() == null || address.getHost() == null) {
            return Optional.empty();
        }
        String scheme = address.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return Optional.empty();
        }
        return Optional.of(new Origin(scheme, address.getHost().toLowerCase(Locale.ROOT), portOf(scheme, address)));
    }

    private static int portOf(String scheme, URI address) {
        if (address.getPort() >= 0) {
            return address.getPort();
        }
        return scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    }

    /**
     * Whether traffic to this origin is protected: by TLS, or because the traffic stays within this machine.
     *
     * @return {@code false} for HTTP to another machine
     */
    public boolean isPrivate() {
        return scheme.equals("https") || isLoopback();
    }

    /**
     * Whether traffic stays within this machine. Decided by the text only: a looked-up name may be another machine next
     * time.
     */
    boolean isLoopback() {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }

    @Override
    public String toString() {
        return scheme + "://" + host + ":" + port;
    }
}
