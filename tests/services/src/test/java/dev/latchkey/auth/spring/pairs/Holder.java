package dev.latchkey.auth.spring.pairs;

import java.util.Map;

/** The caller at the endpoints of {@link Managed}: the credential of the request. */
enum Holder {
    OWNER("access token", Lasting.ACCESS_TOKEN),
    PROVED("token after a fresh proof", Lasting.PROVED),
    ACTING("token to act as the account", Lasting.ACTING),
    OLD_TOKEN("token from before Latchkey", Lasting.OLD_TOKEN),
    OWNER_AT_A_RESOURCE_SERVER("access token, chain with a resource server", Lasting.ACCESS_TOKEN),
    ACTING_AT_A_RESOURCE_SERVER("token to act, chain with a resource server", Lasting.ACTING),
    KEY("API key", Lasting.API_KEY),
    SESSION("session cookie", Lasting.SESSION),
    REMEMBER_ME("remember-me cookie", Lasting.REMEMBER_ME);

    private final String label;
    private final Lasting credential;

    Holder(String label, Lasting credential) {
        this.label = label;
        this.credential = credential;
    }

    String label() {
        return label;
    }

    boolean isAtAResourceServer() {
        return this == OWNER_AT_A_RESOURCE_SERVER || this == ACTING_AT_A_RESOURCE_SERVER;
    }

    Map<String, String> headers(Visit visit) throws Exception {
        Lasting.Held held = credential.obtain(visit);
        return switch (this) {
            case KEY, SESSION, REMEMBER_ME -> held.present();
            default -> Lasting.bearer(held.credential());
        };
    }
}
