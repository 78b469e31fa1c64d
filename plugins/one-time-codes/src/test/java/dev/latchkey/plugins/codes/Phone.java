package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.InstantSource;

/** An authenticator app: a scanned secret, and the time. */
public final class Phone {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private final CodeSecret secret;
    private final InstantSource clock;

    public Phone(CharSequence key, InstantSource clock) {
        this.secret = new CodeSecret(CodeAlgorithm.SHA1, decoded(key));
        this.clock = clock;
    }

    static Phone of(Enrolment enrolment, InstantSource clock) {
        return enrolment.key().withText(key -> new Phone(key, clock));
    }

    /** The code now. */
    public String code() {
        return codeIn(Duration.ZERO);
    }

    /** The code at this time. */
    public String codeIn(Duration time) {
        return secret.codeAt(CodeSecret.stepAt(clock.instant().plus(time)));
    }

    Secret secretCode() {
        return Secret.of(code());
    }

    /** Six digits that no accepted time has. */
    public String wrongCode() {
        long now = CodeSecret.stepAt(clock.instant());
        for (int i = 0; ; i++) {
            String code = "%06d".formatted(i);
            if (secret.stepOf(code, now).isEmpty()) {
                return code;
            }
        }
    }

    private static byte[] decoded(CharSequence text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int pending = 0;
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            pending = (pending << 5 | ALPHABET.indexOf(text.charAt(i))) & 0xFFFF;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes.write(pending >> bits);
            }
        }
        return bytes.toByteArray();
    }
}
