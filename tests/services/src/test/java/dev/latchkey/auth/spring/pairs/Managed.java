package dev.latchkey.auth.spring.pairs;

import java.util.Map;

/** What an account manages at the endpoints of a service. */
enum Managed {
    SESSIONS("sessions", "GET", "/auth/logins", "DELETE", "/auth/logins/none"),
    KEYS("API keys", "GET", "/auth/api-keys", "DELETE", "/auth/api-keys/none"),
    DEVICES("remembered devices", "GET", "/auth/codes/devices", "DELETE", "/auth/codes/devices/none"),
    PASSKEYS("passkeys", "GET", "/auth/passkeys", "POST", "/auth/passkeys/proof");

    private final String label;
    private final String readMethod;
    private final String readPath;
    private final String changeMethod;
    private final String changePath;

    Managed(String label, String readMethod, String readPath, String changeMethod, String changePath) {
        this.label = label;
        this.readMethod = readMethod;
        this.readPath = readPath;
        this.changeMethod = changeMethod;
        this.changePath = changePath;
    }

    String label() {
        return label;
    }

    /** What a cell says. */
    String shown() {
        return "`%s %s`, and `%s %s`: 404 where the caller may, and the account has none"
                .formatted(readMethod, readPath, changeMethod, changePath);
    }

    String ask(Visit visit, Map<String, String> headers) throws Exception {
        return "list " + visit.send(readMethod, readPath, "", headers).shown() + "; change "
                + visit.send(changeMethod, changePath, "", headers).shown();
    }
}
