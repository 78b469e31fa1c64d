package dev.latchkey.auth.client;

import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;

/** Over what credentials may be sent. */
public enum Transport {
    /** TLS, or plain HTTP that does not leave this machine. */
    ENCRYPTED_OR_LOOPBACK,
    /** Plain HTTP too: whoever is on the way reads passwords and tokens. */
    UNENCRYPTED_TOO;

    /**
     * The origin of this address.
     *
     * @throws IllegalArgumentException if it has none, or credentials must not be sent there
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
