package dev.latchkey.auth.spring.crowd;

/** Breaks a rule on purpose: the package has 23 classes. */
@SuppressWarnings("MultipleTopLevelClasses")
public final class BadCrowd {}

final class Neighbour1 {}

final class Neighbour2 {}

final class Neighbour3 {}

final class Neighbour4 {}

final class Neighbour5 {}

final class Neighbour6 {}

final class Neighbour7 {}

final class Neighbour8 {}

final class Neighbour9 {}

final class Neighbour10 {}

final class Neighbour11 {}

final class Neighbour12 {}

final class Neighbour13 {}

final class Neighbour14 {}

final class Neighbour15 {}

final class Neighbour16 {}

final class Neighbour17 {}

final class Neighbour18 {}

final class Neighbour19 {}

final class Neighbour20 {}

final class Neighbour21 {}

final class Neighbour22 {}

final class Neighbour23 {}

final class Neighbour24 {}

final class Neighbour25 {}

final class Neighbour26 {}

final class Neighbour27 {}

final class Neighbour28 {}

final class Neighbour29 {}

final class Neighbour30 {}
