package dev.latchkey.auth.guard.source;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the parsed forms of address texts. The same few clients and proxies send most requests. Parsing an address
 * and finding its networks costs more than the rest of an unlimited login.
 *
 * <p>A table of fixed size. A text's hash selects its slot, and another text for the slot replaces the entry. Safe for
 * use by any number of threads.
 */
final class Peers {

    private static final int SLOTS = 1 << 12;
    private static final int LONGEST = 64;

    /**
     * @param address null if the text is not an address
     * @param source of this address; {@link ClientSource#UNKNOWN} without an address
     * @param trusted whether forwarding header fields from this address are trusted
     * @param suspected whether the address is in a private network and may be a proxy that is not configured
     */
    record Peer(String text, @Nullable IpAddress address, ClientSource source, boolean trusted, boolean suspected) {}

    private final AtomicReferenceArray<@Nullable Peer> slots = new AtomicReferenceArray<>(SLOTS);
    private final List<IpNetwork> trusted;
    private final List<IpNetwork> suspected;

    Peers(List<IpNetwork> trusted, List<IpNetwork> suspected) {
        this.trusted = trusted;
        this.suspected = suspected;
    }

    /** The peer with this address; an IPv6 zone and a port are ignored. */
    Peer of(String text) {
        if (text.length() > LONGEST) {
            return read(text);
        }
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> Short.SIZE) & (SLOTS - 1);
        Peer peer = slots.get(slot);
        if (peer == null || !peer.text().equals(text)) {
            peer = read(text);
            slots.set(slot, peer);
        }
        return peer;
    }

    private Peer read(String text) {
        IpAddress address = ForwardingHeader.address(unzoned(text)).orElse(null);
        return address == null
                ? new Peer(text, null, ClientSource.UNKNOWN, false, false)
                : new Peer(text, address, ClientSource.of(address), isIn(trusted, address), isIn(suspected, address));
    }

    boolean trustsEveryAddress() {
        return trusted.stream().anyMatch(network -> network.length() == 0);
    }

    boolean isTrusted(IpAddress address) {
        return isIn(trusted, address);
    }

    private static boolean isIn(List<IpNetwork> networks, IpAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private static String unzoned(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
