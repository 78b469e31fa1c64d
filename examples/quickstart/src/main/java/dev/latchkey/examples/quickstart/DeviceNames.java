package dev.latchkey.examples.quickstart;

import java.util.LinkedHashMap;
import java.util.Map;

/** Makes a name that a person knows of a {@code User-Agent}, without a version: enough to tell one's own logins apart. */
final class DeviceNames {

    /** Browsers name others for compatibility, so the order matters: the more special one first. */
    private static final Map<String, String> BY_TOKEN = new LinkedHashMap<>();

    static {
        BY_TOKEN.put("Edg/", "Edge");
        BY_TOKEN.put("Firefox/", "Firefox");
        BY_TOKEN.put("Chrome/", "Chrome");
        BY_TOKEN.put("Safari/", "Safari");
        BY_TOKEN.put("curl/", "curl");
    }

    private DeviceNames() {}

    static String of(String userAgent) {
        return BY_TOKEN.entrySet().stream()
                .filter(each -> userAgent.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("another program");
    }
}
