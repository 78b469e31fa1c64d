package dev.latchkey.auth.guard;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Where a request comes from, as far as limits count it: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * <p>A /64 is what one customer gets; whoever has one has 2<sup>64</sup> addresses to change between. An IPv4-mapped IPv6
 * address is the IPv4 address. Find a request's source with {@link TrustedProxies}.
 *
 * @param network the address or network as text, for logs; {@code unknown} for {@link #UNKNOWN}
 */
public record ClientSource(String network) {

    private static final int V6_PREFIX = 64;

    /** No address is known: a Unix socket, say. Such attempts are limited by their account alone. */
    public static final ClientSource UNKNOWN = new ClientSource("unknown");

    /** The source with this address, or empty where the text is not one; asks no name server. */
    public static Optional<ClientSource> of(String address) {
        return IpAddress.parse(address).map(ClientSource::of);
    }

    /** The source with this address. */
    public static ClientSource of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES
                ? of(IpAddress.ofV4(Integer.toUnsignedLong(bytes.getInt())))
                : of(IpAddress.ofV6(bytes.getLong(), bytes.getLong()));
    }

    static ClientSource of(IpAddress address) {
        if (address.bits() == IpAddress.V4_BITS) {
            return new ClientSource(address.toString());
        }
        return new ClientSource(address.prefix(V6_PREFIX) + "/" + V6_PREFIX);
    }

    public boolean isKnown() {
        return !equals(UNKNOWN);
    }
}
