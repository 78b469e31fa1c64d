package dev.latchkey.auth.guard.source;

import dev.latchkey.auth.guard.internal.SipHash;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request, as limits count it: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * <p>A /64 is what one customer gets; whoever has one has 2<sup>64</sup> addresses to change between. An IPv4-mapped IPv6 address is the IPv4 address.
 * Find a request's source with {@link TrustedProxies}.
 *
 * <p>A source is unknown behind a proxy that is not configured, and then has no limit by address. It may still have a <em>place</em>, which tells a
 * caller that has logged in before from the others behind that proxy, and is used for nothing else.
 *
 * <p>Immutable.
 */
public final class ClientSource {

    /** What {@link #place()} is where there is none. */
    public static final long NOWHERE = 0;

    private static final int V6_PREFIX = 64;
    private static final int WIDE_V6_PREFIX = 48;
    private static final SipHash PLACES = SipHash.random();

    /** Nothing is known: not an address, nor anything that tells one caller from another. */
    public static final ClientSource UNKNOWN = unknownAt(NOWHERE);

    private final String network;

    @Nullable
    private final String wideNetwork;

    private final long place;
    private final boolean known;

    @Nullable
    private final IpAddress address;

    private ClientSource(
            String network, @Nullable String wideNetwork, long place, boolean known, @Nullable IpAddress address) {
        this.network = network;
        this.wideNetwork = wideNetwork;
        this.place = place;
        this.known = known;
        this.address = address;
    }

    /** A known source of this name, for a service that tells its callers apart by something else than their addresses. */
    public ClientSource(String network) {
        this(network, null, placeOf(NOWHERE, network), true, null);
    }

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
            String network = address.toString();
            return new ClientSource(network, null, placeOf(NOWHERE, network), true, address);
        }
        String network = network(address, V6_PREFIX);
        return new ClientSource(network, network(address, WIDE_V6_PREFIX), placeOf(NOWHERE, network), true, address);
    }

    private static String network(IpAddress address, int prefix) {
        return address.prefix(prefix) + "/" + prefix;
    }

    static ClientSource unknownAt(long place) {
        return new ClientSource("unknown", null, place, false, null);
    }

    /** A place that differs from this one by a text; under a key of this process, so that nobody can choose a place. */
    static long placeOf(long before, CharSequence text) {
        long place = PLACES.hash(before, text);
        return place == NOWHERE ? 1 : place;
    }

    /** The address or network as text, for logs; {@code unknown} where it is not known. */
    public String network() {
        return network;
    }

    /** The address itself, as the limits do not count it; empty where it is not known. */
    public Optional<String> address() {
        return Optional.ofNullable(address).map(IpAddress::toString);
    }

    /** Whether there is an address to count by. */
    public boolean isKnown() {
        return known;
    }

    /** The /48 that the network is in: what a site gets, and an attacker can rent. Null for IPv4. */
    @Nullable
    public String wideNetwork() {
        return wideNetwork;
    }

    /** What tells this source from others where it has logged in before; {@link #NOWHERE} where nothing does. */
    public long place() {
        return place;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientSource that
                && place == that.place
                && known == that.known
                && network.equals(that.network);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(place);
    }

    @Override
    public String toString() {
        return "ClientSource[network=" + network + "]";
    }
}
