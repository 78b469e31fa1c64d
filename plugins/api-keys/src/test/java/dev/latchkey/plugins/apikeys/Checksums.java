package dev.latchkey.plugins.apikeys;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** The checksum of a key, as the README says how to make it. */
public final class Checksums {

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private Checksums() {}

    public static String of(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        StringBuilder digits = new StringBuilder();
        long left = crc.getValue();
        for (int i = 0; i < 6; i++) {
            digits.append(ALPHABET.charAt((int) (left % 62)));
            left /= 62;
        }
        return digits.reverse().toString();
    }
}
