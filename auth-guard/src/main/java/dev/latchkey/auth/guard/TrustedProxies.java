package dev.latchkey.auth.guard;

import dev.latchkey.auth.HeaderFields;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the source of a request: the right-most address that no trusted proxy vouches away.
 *
 * <p>Each proxy appends the address that it was called from, so a list reads from the client on the left to our own proxy on
 * the right, and whatever stands left of the first stranger is that stranger's word. Hence: if the connection does not come
 * from a trusted network, its own address is the source and the header is not read. Otherwise the list is walked from the
 * right, past trusted addresses, and the first other one is the source. An entry that is not an address ends the walk at the
 * last address that was vouched for: an invented entry can only make strangers share a limit, never escape one.
 *
 * <p>Exactly one header is read. Of two, a client could send the one that the proxy does not overwrite.
 *
 * <p>Immutable and safe for use by any number of threads.
 */
public final class TrustedProxies {

    /** A chain of proxies longer than this is not walked further. */
    private static final int MAX_HOPS = 32;

    private final List<IpNetwork> trusted;

    @Nullable
    private final ForwardingHeader header;

    private TrustedProxies(List<IpNetwork> trusted, @Nullable ForwardingHeader header) {
        this.trusted = trusted;
        this.header = header;
    }

    /** Nobody is trusted: the source is the address of the connection. */
    public static TrustedProxies none() {
        return new TrustedProxies(List.of(), null);
    }

    /**
     * Proxies in these networks are believed what they say in this header.
     *
     * @param networks in CIDR notation, or single addresses
     * @throws IllegalArgumentException if one is not in that notation; the message names it
     */
    public static TrustedProxies of(ForwardingHeader header, Collection<String> networks) {
        return new TrustedProxies(
                networks.stream().map(IpNetwork::parse).toList(), Objects.requireNonNull(header, "header"));
    }

    /**
     * The source of a request.
     *
     * @param remoteAddress of the connection, as the server gives it; an IPv6 zone is ignored. What is not an address (a
     *     Unix socket) is {@link ClientSource#UNKNOWN}
     * @param headers asked only if the connection comes from a trusted proxy
     */
    public ClientSource sourceOf(@Nullable String remoteAddress, HeaderFields headers) {
        Optional<IpAddress> remote = remoteAddress == null ? Optional.empty() : IpAddress.parse(unzoned(remoteAddress));
        if (remote.isEmpty()) {
            return ClientSource.UNKNOWN;
        }
        if (header == null || !isTrusted(remote.get())) {
            return ClientSource.of(remote.get());
        }
        return ClientSource.of(walk(remote.get(), header.hops(headers.values(header.fieldName()))));
    }

    private IpAddress walk(IpAddress remote, List<String> hops) {
        IpAddress vouchedFor = remote;
        int last = Math.max(0, hops.size() - MAX_HOPS);
        for (int i = hops.size() - 1; i >= last; i--) {
            Optional<IpAddress> hop = ForwardingHeader.address(hops.get(i));
            if (hop.isEmpty()) {
                return vouchedFor;
            }
            vouchedFor = hop.get();
            if (!isTrusted(vouchedFor)) {
                return vouchedFor;
            }
        }
        return vouchedFor;
    }

    private boolean isTrusted(IpAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    private static String unzoned(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
