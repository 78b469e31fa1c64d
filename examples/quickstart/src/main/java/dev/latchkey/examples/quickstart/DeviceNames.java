package dev.latchkey.examples.quickstart;

import java.util.LinkedHashMap;
import java.util.Map;

/** Makes a readable name from a {@code User-Agent}, without a version. The name is enough to tell the devices of an account apart. */
final class DeviceNames {

    /** Browsers name other browsers for compatibility, so the special names come first. */
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
