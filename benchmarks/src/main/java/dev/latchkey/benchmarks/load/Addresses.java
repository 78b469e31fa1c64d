package dev.latchkey.benchmarks.load;

/**
 * Client IPs of the load. All connections come over loopback, an unknown source for a service without a configured proxy. So the
 * services trust the harness's forwarding header.
 */
public final class Addresses {

    /** A setting of every service: the harness is its proxy. A service without Latchkey ignores the setting. */
    public static final String TRUSTED = "latchkey.guard.trusted-proxies=127.0.0.0/8,::1/128";

    private Addresses() {}

    /** A different IPv4 address of 10.0.0.0/8 for each number. */
    public static String of(long number) {
        return "10." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255);
    }
}
