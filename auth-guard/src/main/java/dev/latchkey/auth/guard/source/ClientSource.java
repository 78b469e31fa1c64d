package dev.latchkey.auth.guard.source;

import dev.latchkey.auth.guard.internal.SipHash;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request, as limits count it: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * <p>A /64 is what one customer gets, with 2<sup>64</sup> addresses to change between. An IPv4-mapped IPv6 address is the IPv4 address. Find a
 * request's source with {@link TrustedProxies}.
 *
 * <p>Behind a proxy that is not configured a source is unknown, and then has no limit by address. It may still have a <em>place</em>: a fingerprint
 * that tells a caller who has logged in before from the others behind that proxy, and is used for nothing else.
 *
 * <p>Immutable.
 */
public final class ClientSource {

    /** The {@link #place()} of a source that has none. */
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

    /**
     * A known source of this name, for a service that tells its callers apart by something else than their addresses.
     *
     * @param network any text; equal texts are one source
     */
    public ClientSource(String network) {
        this(network, null, placeOf(NOWHERE, network), true, null);
    }

    /**
     * The source with this address. Asks no name server.
     *
     * @param address four decimal numbers, or the text of RFC 4291 section 2.2 without a zone
     * @return empty where the text is no address
     */
    public static Optional<ClientSource> of(String address) {
        return IpAddress.parse(address).map(ClientSource::of);
    }

    /**
     * The source with this address.
     *
     * @param address of IPv4 or IPv6; its zone is ignored
     * @return a known source
     */
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

    /** A place made of another one and a text. It is hashed under a key of this process, so nobody can choose a place. */
    static long placeOf(long before, CharSequence text) {
        long place = PLACES.hash(before, text);
        return place == NOWHERE ? 1 : place;
    }

    /**
     * What limits count by, as text for logs.
     *
     * @return the IPv4 address, the /64 in CIDR notation, or {@code unknown}
     */
    public String network() {
        return network;
    }

    /**
     * The address itself. Limits do not count by it.
     *
     * @return all 128 bits of an IPv6 address; empty where the address is not known
     */
    public Optional<String> address() {
        return Optional.ofNullable(address).map(IpAddress::toString);
    }

    /**
     * Whether there is something to count by.
     *
     * @return false for a source behind a proxy that is not configured
     */
    public boolean isKnown() {
        return known;
    }

    /**
     * The /48 around an IPv6 network: what one site gets, and what an attacker can rent.
     *
     * @return in CIDR notation; null for IPv4 and unknown sources
     */
    @Nullable
    public String wideNetwork() {
        return wideNetwork;
    }

    /**
     * Tells this source from others, to recognise where an account has logged in before. Means nothing to another process.
     *
     * @return a hash; {@link #NOWHERE} where nothing tells the source from others
     */
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
