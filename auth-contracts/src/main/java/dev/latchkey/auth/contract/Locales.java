package dev.latchkey.auth.contract;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** The default locale of a server, without influence on logins. */
final class Locales {

    private static final Locale TURKEY = Locale.forLanguageTag("tr-TR");

    private Locales() {}

    /** The call's result in the default locale of Turkey. */
    static <T> T inTurkey(Callable<T> call) throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(TURKEY);
        try {
            return call.call();
        } finally {
            Locale.setDefault(before);
        }
    }

    /** These credentials, and the same with names in upper and in lower case, if the credentials accept such names. */
    static Map<String, Credentials> spellings(Credentials credentials) throws Exception {
        Map<String, Credentials> all = new LinkedHashMap<>();
        String name = credentials.account().orElse("");
        all.put("the name '" + name + "'", credentials);
        Hostile.unlessRefused(() -> Variants.withNames(credentials, text -> text.toUpperCase(Locale.ROOT)))
                .ifPresent(upper -> all.put("the name '" + name + "' in upper case", upper));
        Hostile.unlessRefused(() -> Variants.withNames(credentials, text -> text.toLowerCase(Locale.ROOT)))
                .ifPresent(lower -> all.put("the name '" + name + "' in lower case", lower));
        return all;
    }

    /** The part of a decision that must be equal in every locale. */
    static String shown(Decision decision) {
        if (decision instanceof Authenticated login) {
            return "Authenticated " + login.subject();
        }
        return decision instanceof Challenged challenged
                ? "Challenged " + challenged.soFar().subject()
                : decision.toString();
    }
}
