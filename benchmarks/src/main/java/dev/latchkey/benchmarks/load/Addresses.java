package dev.latchkey.benchmarks.load;

/**
 * Addresses that clients seem to come from. All of them come over loopback, and whoever does is an unknown source to a service that
 * was not told of a proxy; so the services are told to believe the harness's forwarding header.
 */
public final class Addresses {

    /** For every service: it sits behind a proxy, the harness. Means nothing where Latchkey is not there. */
    public static final String TRUSTED = "latchkey.guard.trusted-proxies=127.0.0.0/8,::1/128";

    private Addresses() {}

    /** A different IPv4 address of 10.0.0.0/8 for each number. */
    public static String of(long number) {
        return "10." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255);
    }
}
