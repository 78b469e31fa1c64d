package dev.latchkey.auth.client;

import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;

/** The allowed transports for credentials. */
public enum Transport {
    /** TLS, or plain HTTP within this machine. */
    ENCRYPTED_OR_LOOPBACK,
    /** Also plain HTTP: anyone on the network path can read passwords and tokens. */
    UNENCRYPTED_TOO;

    /**
     * The origin of this address.
     *
     * @throws IllegalArgumentException if the address has no origin, or credentials must not be sent there
     */
    Origin originOf(URI address) {
        Origin origin = Origin.of(address)
                .orElseThrow(() -> new IllegalArgumentException("An address needs http or https and a host"));
        if (this == ENCRYPTED_OR_LOOPBACK && !origin.isPrivate()) {
            throw new IllegalArgumentException("Credentials would go to " + origin
                    + " unencrypted: use https, or say ClientSettings.withTransport(UNENCRYPTED_TOO)");
        }
        return origin;
    }
}
