package dev.latchkey.architecture;

import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every rule by its name. */
final class Rules {

    private Rules() {}

    static Map<String, ArchRule> all() {
        Map<String, ArchRule> rules = new LinkedHashMap<>();
        addAll(Arrows.class, rules);
        addAll(Rooms.class, rules);
        addAll(Manners.class, rules);
        addAll(BootManners.class, rules);
        return rules;
    }

    private static void addAll(Class<?> owner, Map<String, ArchRule> rules) {
        for (Field field : owner.getDeclaredFields()) {
            if (field.getType() == ArchRule.class) {
                try {
                    rules.put(field.getName(), (ArchRule) field.get(null));
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
