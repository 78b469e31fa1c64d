package dev.latchkey.auth.guard.source;

import java.util.Optional;

/**
 * An IP address, read from its text without a name look-up.
 *
 * <p>{@link java.net.InetAddress} is unsuitable for reading: the class asks DNS about other texts, accepts
 * {@code 127.1} and {@code 1}, and on some platforms octal numbers. Here IPv4 is exactly four decimal numbers without
 * leading zeros. IPv6 is the text of RFC 4291 section 2.2 without a zone. An IPv4-mapped IPv6 address (section 2.5.5.2)
 * is the IPv4 address: otherwise one client would have two addresses. An address with the well-known prefix of RFC 6052,
 * {@code 64:ff9b::/96}, is the IPv4 address too: otherwise all IPv4 clients behind a translator would share one /64.
 *
 * @param bits 32 or 128
 * @param high the first 64 bits of an IPv6 address; 0 for IPv4
 * @param low the last 64 bits; the whole of an IPv4 address
 */
record IpAddress(int bits, long high, long low) {

    static final int V4_BITS = 32;
    static final int V6_BITS = 128;

    /** The longest text of an IPv6 address, with a dotted quad at its end. */
    private static final int MAX_LENGTH = 45;

    private static final int GROUPS = 8;
    private static final long MAPPED_PREFIX = 0xffffL;

    /** The first 64 bits of translated IPv4 addresses; 32 zero bits follow. */
    private static final long TRANSLATED_PREFIX = 0x0064_ff9b_0000_0000L;

    /** The address in this text, or empty; a text longer than any address is not read. */
    static Optional<IpAddress> parse(String text) {
        return asWritten(text).map(IpAddress::withoutIpv6Prefix);
    }

    /** As {@link #parse}; a mapped or translated IPv4 address remains an IPv6 address. */
    static Optional<IpAddress> asWritten(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        return text.indexOf(':') < 0 ? v4(text) : v6(text);
    }

    static IpAddress ofV4(long address) {
        return new IpAddress(V4_BITS, 0, address);
    }

    /** The IPv4 address of a mapped or translated address; any other address unchanged. */
    IpAddress withoutIpv6Prefix() {
        if (bits == V4_BITS) {
            return this;
        }
        boolean isMapped = high == 0 && low >>> V4_BITS == MAPPED_PREFIX;
        boolean isTranslated = high == TRANSLATED_PREFIX && low >>> V4_BITS == 0;
        return isMapped || isTranslated ? ofV4(low & 0xffff_ffffL) : this;
    }

    /** The network's address: all bits after the prefix are zero. */
    IpAddress prefix(int length) {
        if (bits == V4_BITS) {
            return ofV4(low & ~lowMask(V4_BITS - length));
        }
        long maskedHigh = high & ~lowMask(Long.SIZE - Math.min(length, Long.SIZE));
        long maskedLow = low & ~lowMask(V6_BITS - Math.max(length, Long.SIZE));
        return new IpAddress(V6_BITS, maskedHigh, maskedLow);
    }

    private static long lowMask(int ones) {
        return ones >= Long.SIZE ? -1L : (1L << ones) - 1;
    }

    private static Optional<IpAddress> v4(String text) {
        long address = quad(text);
        return address < 0 ? Optional.empty() : Optional.of(ofV4(address));
    }

    /** The four octets of a dotted quad, or -1. */
    private static long quad(String text) {
        String[] octets = text.split("\\.", -1);
        if (octets.length != Integer.BYTES) {
            return -1;
        }
        long address = 0;
        for (String octet : octets) {
            int value = number(octet, 10, 3);
            boolean leadingZero = octet.length() > 1 && octet.charAt(0) == '0';
            if (value < 0 || value > 0xff || leadingZero) {
                return -1;
            }
            address = address << Byte.SIZE | value;
        }
        return address;
    }

    private static Optional<IpAddress> v6(String text) {
        int gap = text.indexOf("::");
        int[] groups = new int[GROUPS];
        if (gap < 0) {
            return fill(groups, text, 0) == GROUPS ? Optional.of(ofGroups(groups)) : Optional.empty();
        }
        int[] tail = new int[GROUPS];
        String after = text.substring(gap + 2);
        int before = gap == 0 ? 0 : fill(groups, text.substring(0, gap), 0);
        int behind = after.isEmpty() ? 0 : fill(tail, after, 0);
        // The gap stands for at least one group. A dotted quad is allowed only at the end of the whole text.
        boolean quadBeforeGap = gap > 0 && text.lastIndexOf('.', gap) >= 0;
        if (before < 0 || behind < 0 || before + behind >= GROUPS || quadBeforeGap) {
            return Optional.empty();
        }
        System.arraycopy(tail, 0, groups, GROUPS - behind, behind);
        return Optional.of(ofGroups(groups));
    }

    /** Reads groups separated by single colons; returns their number, or -1. */
    private static int fill(int[] groups, String text, int from) {
        String[] parts = text.split(":", -1);
        int count = from;
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            if (last && parts[i].indexOf('.') >= 0) {
                long quad = quad(parts[i]);
                if (quad < 0 || count > GROUPS - 2) {
                    return -1;
                }
                groups[count++] = (int) (quad >>> Short.SIZE);
                groups[count++] = (int) (quad & 0xffff);
            } else {
                int value = number(parts[i], 16, 4);
                if (value < 0 || count == GROUPS) {
                    return -1;
                }
                groups[count++] = value;
            }
        }
        return count;
    }

    private static IpAddress ofGroups(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < GROUPS / 2; i++) {
            high = high << Short.SIZE | groups[i];
            low = low << Short.SIZE | groups[i + GROUPS / 2];
        }
        return new IpAddress(V6_BITS, high, low);
    }

    /** An unsigned number with at most this many ASCII digits, or -1. */
    private static int number(String text, int radix, int maxDigits) {
        if (text.isEmpty() || text.length() > maxDigits) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    /** Dotted quad, or eight groups in hexadecimal without compression. Equal addresses have equal texts. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (bits == V4_BITS) {
            for (int shift = 24; shift >= 0; shift -= Byte.SIZE) {
                text.append(low >>> shift & 0xff).append(shift == 0 ? "" : ".");
            }
            return text.toString();
        }
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? high : low;
            long group = half >>> ((GROUPS / 2 - 1 - (i % (GROUPS / 2))) * Short.SIZE) & 0xffff;
            text.append(i == 0 ? "" : ":").append(Long.toHexString(group));
        }
        return text.toString();
    }
}
