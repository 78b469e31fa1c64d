package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of one ring for a verifier, each with the header of its own tokens. */
final class VerifyingKeys {

    /** One key with its end date and its own header, as JSON and as encoded text with the dot. */
    static final class Candidate {
        private static final Instant FIRST = Instant.ofEpochMilli(Long.MIN_VALUE);
        private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE);

        final HmacKey key;
        final byte[] headerJson;

        /** The first instant without verification; {@link Instant#MAX} if never. */
        final Instant end;

        private final byte[] header;
        private final long untilMillis;
        private final int encodedMacLength;

        Candidate(KeyRing.Entry entry, String type) {
            this.key = entry.key();
            this.untilMillis = millisOf(entry.until());
            this.end = untilMillis == Long.MAX_VALUE ? Instant.MAX : Instant.ofEpochMilli(untilMillis);
            this.headerJson = JoseHeader.jsonOf(key, type);
            this.header = JoseHeader.encoded(headerJson);
            this.encodedMacLength = key.algorithm().encodedMacLength();
        }

        /** The range of milliseconds is smaller than the range of {@code Instant}. */
        private static long millisOf(Instant instant) {
            if (instant.isBefore(FIRST)) {
                return Long.MIN_VALUE;
            }
            return instant.isAfter(LAST) ? Long.MAX_VALUE : instant.toEpochMilli();
        }

        /** The start of the claims if the token has exactly this key's own header; 0 for any other header. */
        int claimsAfterOwnHeader(byte[] token, int length) {
            int end = header.length;
            return end <= length && Arrays.equals(token, 0, end, header, 0, end) ? end : 0;
        }

        /** The index of the dot before a MAC of this key's length; 0 if there is no dot. */
        int dotBeforeMac(byte[] token, int length) {
            int dot = length - encodedMacLength - 1;
            return dot > 0 && token[dot] == '.' ? dot : 0;
        }

        private boolean signed(TokenBuffers buffers, int length, long now) {
            int dot = dotBeforeMac(buffers.token(), length);
            return dot > 0 && now < untilMillis && buffers.isSignedWith(key, dot);
        }
    }

    final KeyRing ring;
    private final Candidate[] candidates;

    VerifyingKeys(KeyRing ring, String type) {
        this.ring = ring;
        List<KeyRing.Entry> entries = ring.entries();
        this.candidates = new Candidate[entries.size()];
        for (int i = 0; i < candidates.length; i++) {
            candidates[i] = new Candidate(entries.get(i), type);
        }
    }

    /** The key that made the MAC of the token in these buffers; {@code null} if no current key did. */
    @Nullable
    Candidate signerOf(TokenBuffers buffers, int length, long now) {
        if (candidates.length > 1) {
            for (Candidate candidate : candidates) {
                // Only a header with a kid distinguishes the keys of one algorithm.
                if (candidate.key.id().isPresent() && candidate.claimsAfterOwnHeader(buffers.token(), length) > 0) {
                    return candidate.signed(buffers, length, now) ? candidate : null;
                }
            }
        }
        for (Candidate candidate : candidates) {
            if (candidate.signed(buffers, length, now)) {
                return candidate;
            }
        }
        return null;
    }
}
