graph [
]
]
