package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.SecretEncoding;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the signing key of {@code latchkey.jwt}. There is no default key, and no generated key. */
final class SigningKeys {

    private static final String HOW_TO_NAME_A_FILE =
            "Write file: before the path, as in latchkey.jwt.secret=file:/run/secrets/jwt.key";

    /** A key may begin with a slash too. So this pattern only chooses the message for a text that is no key. */
    private static final Pattern PATH = Pattern.compile("[./~\\\\].*|[A-Za-z]+:.*|.*\\.[a-z]{3,4}");

    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);

    private SigningKeys() {}

    static HmacKey from(LatchkeyProperties.Jwt settings) {
        Secret secret = settings.secret();
        Path file = settings.secretFile();
        KeyForm form = KeyForm.of(settings);
        String howToMakeOne = howToMakeOne(form);
        if (file != null) {
            return made("latchkey.jwt.secret", howToMakeOne, () -> {
                HmacKey key = form.in(file);
                if (Files.isRegularFile(file)) { // a pipe gives its content once
                    warnOfDigits(form, Files.readAllBytes(file));
                }
                return key;
            });
        }
        // An environment variable without a value gives no secret, or an empty secret.
        if (secret == null || secret.withText(CharSequence::isEmpty)) {
            throw new LatchkeyConfigurationException("latchkey.jwt.secret is empty: no key is set", howToMakeOne);
        }
        boolean isPath = secret.withText(text -> PATH.matcher(text).matches());
        String fault = isPath ? "latchkey.jwt.secret looks like a path, and is no key" : "latchkey.jwt.secret";
        return made(fault, isPath ? HOW_TO_NAME_A_FILE : howToMakeOne, () -> {
            HmacKey key = secret.withText(form::of);
            warnOfDigits(form, secret.withBytes(byte[]::clone));
            return key;
        });
    }

    private static String howToMakeOne(KeyForm form) {
        HmacAlgorithm algorithm = form.algorithm() == null ? HmacAlgorithm.HS256 : form.algorithm();
        return "Make one with: openssl rand -base64 " + algorithm.minKeyBytes() + " > jwt.key; chmod 600 jwt.key";
    }

    /** The digits of {@code openssl rand -hex} are Base64 of another key, so no other check finds the mistake. */
    private static void warnOfDigits(KeyForm form, byte[] secret) {
        if (form.encoding() == SecretEncoding.BASE64 && areDigitsOfAKey(secret)) {
            LOG.warn(
                    "latchkey.jwt.secret consists of hexadecimal digits, and is read as Base64. A program that reads the digits as"
                            + " hexadecimal has another key. Make the next key with: openssl rand -base64 32");
        }
        Arrays.fill(secret, (byte) 0);
    }

    /** Two digits for each byte of a key of 32, 48 or 64 bytes. */
    private static boolean areDigitsOfAKey(byte[] text) {
        int length = text.length;
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            length--;
        }
        int digits = 0;
        while (digits < length && HexFormat.isHexDigit(text[digits])) {
            digits++;
        }
        return digits == length && (length == 64 || length == 96 || length == 128);
    }

    /**
     * @throws LatchkeyConfigurationException if the file of this property has no usable key
     */
    static HmacKey fromFile(String property, Path file, KeyForm form) {
        return made(property, howToMakeOne(form), () -> form.in(file));
    }

    /** The messages of {@link HmacKey} name the broken rule, and no part of the key. */
    private static HmacKey made(String property, String action, Callable<HmacKey> source) {
        try {
            return source.call();
        } catch (IOException e) {
            throw LatchkeyConfigurationException.unreadable(property, e, action);
        } catch (Exception e) {
            throw new LatchkeyConfigurationException(property + ": " + e.getMessage(), action);
        }
    }
}
